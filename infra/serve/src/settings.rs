//! The settings of a deployment that this program is: those of `infra/template.yaml` where they
//! mean something here. Environment variables of the same names stand over them.

use std::collections::BTreeMap;

use crate::model::{DIMENSIONS, MODEL};

/// The group that fills everyone's knowledge base, which the owner belongs to.
pub(crate) const ADMINS: &str = "knowledge-admins";

/// The settings, each with its value.
///
/// `secrets` are those of routes of alerts, and `case_page` is the address of a case's page.
pub(crate) fn all(secrets: &str, case_page: &str) -> BTreeMap<String, String> {
    let dimensions = DIMENSIONS.to_string();
    let settings = [
        ("EMBED_MODEL", MODEL),
        ("EMBED_DIMENSIONS", &dimensions),
        ("QDRANT_COLLECTION", "local"),
        ("GROUPS_CLAIM", "groups"),
        ("ADMIN_GROUP", ADMINS),
        // People ask as much as they like.
        ("CALLER_RATE", "0"),
        ("CALLER_BURST", "60"),
        ("CALLER_TOKENS", "0"),
        ("STAGE_TOKENS", "0"),
        ("SCOPE_DOCUMENTS", "0"),
        ("SCOPE_BYTES", "0"),
        ("RESTORE_DAYS", "30"),
        // Tokens of nobody, unless an option names an issuer.
        ("JWT_ISSUER", "http://localhost"),
        ("JWT_AUDIENCE", "plumbline"),
        ("ALERT_SECRETS", secrets),
        ("CASE_PAGE", case_page),
    ];
    let settings = settings.into_iter().filter(|(_, value)| !value.is_empty());
    settings.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
}
