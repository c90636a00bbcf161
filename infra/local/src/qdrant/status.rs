//! Qdrant's refusals: the same codes and the same wording as the server's.

use qdrant_edge::OperationError;
use tonic::Status;

/// Refuses a request that could be repaired by its sender.
pub(crate) fn bad_input(reason: impl std::fmt::Display) -> Status {
    Status::invalid_argument(format!("Wrong input: {reason}"))
}

/// Refuses something that Qdrant serves and this program does not.
pub(crate) fn unserved(what: &str) -> Status {
    Status::unimplemented(format!("plumbline-qdrant does not serve {what}"))
}

/// Answers for a collection that is not there.
pub(crate) fn no_collection(name: &str) -> Status {
    Status::not_found(format!("Not found: Collection `{name}` doesn't exist!"))
}

/// Answers for an internal failure.
pub(crate) fn internal(reason: impl std::fmt::Display) -> Status {
    Status::internal(format!("Service internal error: {reason}"))
}

/// Refuses a request in which `is_used` holds for `what`.
pub(crate) fn refuse_if(is_used: bool, what: &str) -> Result<(), Status> {
    if is_used { Err(unserved(what)) } else { Ok(()) }
}

/// Converts the engine's error into a refusal of the request, or else into an internal failure.
pub(crate) fn from_engine(err: &OperationError) -> Status {
    use OperationError as E;
    match err {
        E::WrongVectorDimension { .. }
        | E::VectorNameNotExists { .. }
        | E::TypeError { .. }
        | E::TypeInferenceError { .. }
        | E::ValidationError { .. }
        | E::WrongSparse
        | E::WrongMulti
        | E::MissingRangeIndexForOrderBy { .. }
        | E::MissingMapIndexForFacet { .. } => bad_input(err),
        E::PointIdError { .. } => Status::not_found(format!("Not found: {err}")),
        _ => internal(err),
    }
}
