//! The calls of Qdrant's that are served, and the functions that serve them. Read [`serve`] and the tables below it.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use plumbline_local::with_faults;
use qdrant_client::qdrant as proto;
use qdrant_client::qdrant::collections_server::CollectionsServer;
use qdrant_client::qdrant::points_server::PointsServer;
use qdrant_client::qdrant::qdrant_server::QdrantServer;
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::task::{JoinError, spawn_blocking};
use tonic::service::Routes;
use tonic::transport::Server;
use tonic::transport::server::{TcpConnectInfo, TcpIncoming};
use tonic::{Request, Response, Status};

use crate::store::Store;
use crate::{collection, read, status, write};

/// The time between flushes; a killed process may lose the acknowledged writes of this time.
const FLUSH_EVERY: Duration = Duration::from_secs(1);

/// The collections in a folder, opened and ready to be served.
#[derive(Clone)]
pub(crate) struct Handler(Arc<Store>);

impl Handler {
    /// Opens the collections in `folder`.
    pub(crate) fn open(folder: &Path) -> anyhow::Result<Handler> {
        Ok(Handler(Arc::new(Store::open(folder)?)))
    }

    /// Writes everything to the disk.
    pub(crate) async fn flush(&self) -> Result<(), JoinError> {
        let store = self.0.clone();
        spawn_blocking(move || store.flush()).await
    }
}

/// Serves `handler` on `listener` until `stopped`.
pub(crate) async fn serve(
    handler: Handler,
    listener: TcpListener,
    stopped: oneshot::Receiver<()>,
) -> anyhow::Result<()> {
    let flusher = tokio::spawn(keep_flushing(handler.clone()));
    let routes = routes(handler, listener.local_addr()?);
    let incoming = TcpIncoming::from(listener).with_nodelay(Some(true));
    let served = Server::builder()
        // For `/faults`; all others speak HTTP/2.
        .accept_http1(true)
        .add_routes(routes)
        .serve_with_incoming_shutdown(incoming, async { drop(stopped.await) })
        .await;
    flusher.abort();
    Ok(served?)
}

fn routes(handler: Handler, address: SocketAddr) -> Routes {
    let routes = Routes::new(QdrantServer::new(handler.clone()))
        .add_service(CollectionsServer::new(handler.clone()).max_decoding_message_size(usize::MAX))
        .add_service(PointsServer::new(handler).max_decoding_message_size(usize::MAX));
    let routes = with_faults(routes.into_axum_router(), address, |call| {
        call.get::<TcpConnectInfo>().and_then(TcpConnectInfo::remote_addr)
    });
    Routes::from(routes)
}

async fn keep_flushing(handler: Handler) {
    loop {
        tokio::time::sleep(FLUSH_EVERY).await;
        if let Err(err) = handler.flush().await {
            eprintln!("plumbline-qdrant: flushing the collections failed: {err}");
        }
    }
}

/// Runs one call of the engine on a thread of its own, because it blocks.
async fn answer<Q, A>(
    handler: &Handler,
    request: Request<Q>,
    call: fn(&Store, Q) -> Result<A, Status>,
) -> Result<Response<A>, Status>
where
    Q: Send + 'static,
    A: Send + 'static,
{
    let store = handler.0.clone();
    let request = request.into_inner();
    spawn_blocking(move || call(&store, request))
        .await
        .map_err(status::internal)?
        .map(Response::new)
}

/// Writes a service as a table: the calls that are served, each with the function that answers, and the refused calls.
macro_rules! service {
    (
        $service:path:
        serves { $($call:ident: $query:ident => $reply:ident by $function:path;)* }
        refuses { $($refused:ident: $refused_query:ident => $refused_reply:ident;)* }
    ) => {
        #[tonic::async_trait]
        impl $service for Handler {
            $(async fn $call(&self, request: Request<proto::$query>) -> Result<Response<proto::$reply>, Status> {
                answer(self, request, $function).await
            })*
            $(async fn $refused(
                &self,
                _request: Request<proto::$refused_query>,
            ) -> Result<Response<proto::$refused_reply>, Status> {
                Err(status::unserved(concat!("the call ", stringify!($refused))))
            })*
        }
    };
}

service! {
    proto::qdrant_server::Qdrant:
    serves {
        health_check: HealthCheckRequest => HealthCheckReply by collection::health_check;
    }
    refuses {}
}

service! {
    proto::collections_server::Collections:
    serves {
        get: GetCollectionInfoRequest => GetCollectionInfoResponse by collection::get;
        list: ListCollectionsRequest => ListCollectionsResponse by collection::list;
        create: CreateCollection => CollectionOperationResponse by collection::create;
        delete: DeleteCollection => CollectionOperationResponse by collection::delete;
        collection_exists: CollectionExistsRequest => CollectionExistsResponse by collection::collection_exists;
    }
    refuses {
        update: UpdateCollection => CollectionOperationResponse;
        update_aliases: ChangeAliases => CollectionOperationResponse;
        list_collection_aliases: ListCollectionAliasesRequest => ListAliasesResponse;
        list_aliases: ListAliasesRequest => ListAliasesResponse;
        collection_cluster_info: CollectionClusterInfoRequest => CollectionClusterInfoResponse;
        update_collection_cluster_setup: UpdateCollectionClusterSetupRequest => UpdateCollectionClusterSetupResponse;
        create_shard_key: CreateShardKeyRequest => CreateShardKeyResponse;
        delete_shard_key: DeleteShardKeyRequest => DeleteShardKeyResponse;
        list_shard_keys: ListShardKeysRequest => ListShardKeysResponse;
    }
}

service! {
    proto::points_server::Points:
    serves {
        upsert: UpsertPoints => PointsOperationResponse by write::upsert;
        delete: DeletePoints => PointsOperationResponse by write::delete;
        set_payload: SetPayloadPoints => PointsOperationResponse by write::set_payload;
        overwrite_payload: SetPayloadPoints => PointsOperationResponse by write::overwrite_payload;
        delete_payload: DeletePayloadPoints => PointsOperationResponse by write::delete_payload;
        clear_payload: ClearPayloadPoints => PointsOperationResponse by write::clear_payload;
        create_field_index: CreateFieldIndexCollection => PointsOperationResponse by write::create_field_index;
        delete_field_index: DeleteFieldIndexCollection => PointsOperationResponse by write::delete_field_index;
        get: GetPoints => GetResponse by read::get;
        scroll: ScrollPoints => ScrollResponse by read::scroll;
        count: CountPoints => CountResponse by read::count;
        query: QueryPoints => QueryResponse by read::query;
        query_batch: QueryBatchPoints => QueryBatchResponse by read::query_batch;
        facet: FacetCounts => FacetResponse by read::facet;
    }
    refuses {
        update_vectors: UpdatePointVectors => PointsOperationResponse;
        delete_vectors: DeletePointVectors => PointsOperationResponse;
        create_vector_name: CreateVectorNameRequest => PointsOperationResponse;
        delete_vector_name: DeleteVectorNameRequest => PointsOperationResponse;
        update_batch: UpdateBatchPoints => UpdateBatchResponse;
        search: SearchPoints => SearchResponse;
        search_batch: SearchBatchPoints => SearchBatchResponse;
        search_groups: SearchPointGroups => SearchGroupsResponse;
        recommend: RecommendPoints => RecommendResponse;
        recommend_batch: RecommendBatchPoints => RecommendBatchResponse;
        recommend_groups: RecommendPointGroups => RecommendGroupsResponse;
        discover: DiscoverPoints => DiscoverResponse;
        discover_batch: DiscoverBatchPoints => DiscoverBatchResponse;
        query_groups: QueryPointGroups => QueryGroupsResponse;
        search_matrix_pairs: SearchMatrixPoints => SearchMatrixPairsResponse;
        search_matrix_offsets: SearchMatrixPoints => SearchMatrixOffsetsResponse;
    }
}
