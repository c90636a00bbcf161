//! Uploaded files in S3.

use std::time::Duration;

use async_trait::async_trait;
use aws_sdk_s3::Client;
use aws_sdk_s3::error::{DisplayErrorContext, SdkError};
use aws_sdk_s3::operation::get_object::GetObjectError;
use aws_sdk_s3::operation::list_object_versions::ListObjectVersionsOutput;
use aws_sdk_s3::presigning::{PresignedRequest, PresigningConfig};
use aws_sdk_s3::types::{Delete, ObjectIdentifier};
use workflow::ports::{Files, Page, StoredFile, Ticket};
use workflow::{Error, Result};

use crate::aws::{self, Patience};
use crate::env::{self, SettingError};

/// What the caller may know it as.
const SERVICE: &str = "the document store";

/// 25 MiB take a few seconds at worst.
const PATIENCE: Patience =
    Patience { attempt: Duration::from_secs(20), operation: Duration::from_mins(1) };

/// How long an upload's address can be used.
const EXPIRES: Duration = Duration::from_mins(15);

/// The most versions of files that one call takes away.
const BATCH: usize = 1_000;

/// The bucket of the uploaded documents. Setting: `BUCKET`.
pub struct Bucket {
    client: Client,
    name: String,
}

impl Bucket {
    /// Makes the client; it connects when it is first used.
    pub fn from_env() -> Result<Bucket, SettingError> {
        let client = Client::new(&aws::config("S3", &PATIENCE)?);
        Ok(Bucket { client, name: env::required("BUCKET")? })
    }
}

#[async_trait]
impl Files for Bucket {
    async fn read(&self, key: &str) -> Result<Option<Vec<u8>>> {
        let object = match self.client.get_object().bucket(&self.name).key(key).send().await {
            Ok(object) => object,
            Err(SdkError::ServiceError(error))
                if matches!(error.err(), GetObjectError::NoSuchKey(_)) =>
            {
                return Ok(None);
            }
            Err(error) => {
                return Err(Error::unavailable(SERVICE, DisplayErrorContext(&error).to_string()));
            }
        };
        let bytes =
            object.body.collect().await.map_err(|error| Error::unavailable(SERVICE, error))?;
        Ok(Some(bytes.to_vec()))
    }

    async fn ticket(&self, key: &str, content_type: &str, bytes: u64) -> Result<Ticket> {
        let failed = |error: String| Error::unavailable(SERVICE, error);
        let expires =
            PresigningConfig::expires_in(EXPIRES).map_err(|error| failed(error.to_string()))?;
        let length = i64::try_from(bytes).map_err(|error| failed(error.to_string()))?;
        let put = self
            .client
            .put_object()
            .bucket(&self.name)
            .key(key)
            .content_type(content_type)
            .content_length(length)
            // Once: what was read is what stays there.
            .if_none_match("*");
        let signed = put
            .presigned(expires)
            .await
            .map_err(|error| failed(DisplayErrorContext(&error).to_string()))?;
        Ok(Ticket {
            url: signed.uri().into(),
            headers: bound(&signed),
            expires_in: EXPIRES.as_secs(),
        })
    }

    async fn list(
        &self,
        prefix: &str,
        after: Option<&StoredFile>,
    ) -> Result<Page<StoredFile, StoredFile>> {
        let request = self.client.list_object_versions().bucket(&self.name).prefix(prefix);
        let request = request
            .set_key_marker(after.map(|after| after.key.clone()))
            .set_version_id_marker(after.map(|after| after.version.clone()));
        let page = request.send().await.map_err(|error| {
            Error::unavailable(SERVICE, DisplayErrorContext(&error).to_string())
        })?;
        let next = page.next_key_marker().zip(page.next_version_id_marker());
        let next = next.map(|(key, version)| stored(key, version));
        let more = page.is_truncated().unwrap_or_default();
        if more && next.is_none() {
            return Err(Error::unavailable(SERVICE, "a list that is cut without saying where"));
        }
        Ok(Page { items: versions(&page), next: next.filter(|_| more) })
    }

    async fn remove(&self, files: &[StoredFile]) -> Result<()> {
        for files in files.chunks(BATCH) {
            self.remove_batch(files).await?;
        }
        Ok(())
    }
}

impl Bucket {
    async fn remove_batch(&self, files: &[StoredFile]) -> Result<()> {
        let failed = |cause: String| Error::unavailable(SERVICE, cause);
        let one = |file: &StoredFile| {
            ObjectIdentifier::builder().key(&file.key).version_id(&file.version).build()
        };
        let ones: Result<Vec<_>, _> = files.iter().map(one).collect();
        let ones = ones.map_err(|error| failed(error.to_string()))?;
        let delete = Delete::builder().set_objects(Some(ones)).quiet(true).build();
        let delete = delete.map_err(|error| failed(error.to_string()))?;
        let request = self.client.delete_objects().bucket(&self.name).delete(delete);
        let answer = request.send().await;
        let answer = answer.map_err(|error| failed(DisplayErrorContext(&error).to_string()))?;
        match answer.errors().first() {
            None => Ok(()),
            Some(error) => Err(failed(format!("{:?}: {:?}", error.code(), error.message()))),
        }
    }
}

/// The versions of a page, those that are marks of a deletion included.
fn versions(page: &ListObjectVersionsOutput) -> Vec<StoredFile> {
    let versions = page.versions().iter().map(|own| (own.key(), own.version_id()));
    let marks = page.delete_markers().iter().map(|own| (own.key(), own.version_id()));
    let all = versions.chain(marks);
    all.filter_map(|(key, version)| Some(stored(key?, version?))).collect()
}

fn stored(key: &str, version: &str) -> StoredFile {
    StoredFile { key: key.into(), version: version.into() }
}

/// The headers that the signature binds; what else the client would send, such as a trace id, is our own business.
fn bound(signed: &PresignedRequest) -> Vec<(String, String)> {
    let is_bound = |name: &str| name.starts_with("content-") || name == "if-none-match";
    let own = signed.headers().filter(|(name, _)| is_bound(name));
    own.map(|(name, value)| (name.into(), value.into())).collect()
}
