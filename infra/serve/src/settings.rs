//! The settings of a deployment that this program is: those of `infra/template.yaml` where they
//! mean something here. Environment variables of the same names stand over them.

use std::collections::BTreeMap;

use plumbline::local::People;

use crate::model::{DIMENSIONS, MODEL};

/// The group that fills everyone's knowledge base, which the one caller belongs to.
pub(crate) const ADMINS: &str = "knowledge-admins";

/// The settings, each with its value.
pub(crate) fn all(people: &People) -> BTreeMap<String, String> {
    // Nobody has a token of an issuer that there is not.
    let issuer = people.issuer.as_deref().unwrap_or("http://localhost");
    let dimensions = DIMENSIONS.to_string();
    let settings = [
        ("EMBED_MODEL", MODEL),
        ("EMBED_DIMENSIONS", &dimensions),
        ("QDRANT_COLLECTION", "local"),
        ("GROUPS_CLAIM", "groups"),
        ("ADMIN_GROUP", ADMINS),
        // One person asks as much as they like.
        ("CALLER_RATE", "0"),
        ("CALLER_BURST", "1"),
        ("CALLER_TOKENS", "0"),
        ("STAGE_TOKENS", "0"),
        ("SCOPE_DOCUMENTS", "0"),
        ("SCOPE_BYTES", "0"),
        ("RESTORE_DAYS", "30"),
        ("JWT_ISSUER", issuer),
        ("JWT_AUDIENCE", people.audience.as_deref().unwrap_or("plumbline")),
        ("PUBLIC_URL", people.public_url.as_deref().unwrap_or_default()),
    ];
    settings.map(|(name, value)| (name.to_owned(), value.to_owned())).into()
}
