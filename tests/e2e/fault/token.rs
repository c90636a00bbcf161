//! Tests tokens that are not valid yet, that belong to nobody, or whose key is rotated.

use anyhow::{Context, Result, ensure};
use plumbline_tests::Stack;

use crate::Test;

pub(crate) const TESTS: &[(&str, Test)] = &[
    ("a token that is early, late or somebody else's is refused", strange),
    ("callers stay in while the issuer's keys are rotated", rotated),
];

fn status(stack: &Stack, token: &str) -> Result<u16> {
    let body = br#"{"question": "pump failure"}"#;
    stack.send("POST", "/v1/rcca", Some(token), body).map(|reply| reply.status)
}

fn strange(stack: &Stack) -> Result<()> {
    for strange in [
        "not_before=3600",
        "expires_in=-3600",
        "iss=http://issuer.invalid",
        "signed_by=stranger",
        "signed_by=forger",
    ] {
        let status = status(stack, &stack.token(&format!("sub=ann&{strange}"))?)?;
        ensure!(status == 401, "{strange}: {status}");
    }
    ensure!(status(stack, &stack.token("sub=ann&not_before=-3600")?)? == 200);
    Ok(())
}

fn rotated(stack: &Stack) -> Result<()> {
    let is_so = with_keys_rotated(stack);
    stack.deploy_with(&[])?;
    is_so?;
    ensure!(status(stack, &stack.token("sub=ann")?)? == 200);
    Ok(())
}

/// Checks tokens while the keys are rotated. A gateway caches an issuer's keys for up to two hours.
/// It does not know the issuer under another name of this machine, which has the same effect as
/// waiting two hours.
fn with_keys_rotated(stack: &Stack) -> Result<()> {
    let issuer = stack.fact("issuer")?;
    let port = issuer.rsplit(':').next().context("an issuer without a port")?;
    let names = ["127.1", "127.0.1"].map(|host| format!("http://{host}:{port}"));
    let token = |issuer: &str| stack.token(&format!("sub=ann&iss={issuer}"));
    let know = |issuer: &str| stack.deploy_with(&["--set", &format!("JwtIssuer={issuer}")]);
    let [now, then] = &names;
    let old = [token(issuer)?, token(now)?, token(then)?];
    let keys = stack.rotate_keys()?;
    let new = [token(issuer)?, token(now)?, token(then)?];
    ensure!(status(stack, &old[0])? == 200, "whoever has a token goes on");
    know(now)?;
    ensure!(status(stack, &old[1])? == 200, "the key before is still good");
    ensure!(status(stack, &new[1])? == 200, "so is the new one");
    // The new key is removed.
    drop(keys);
    know(then)?;
    ensure!(status(stack, &old[2])? == 200);
    ensure!(status(stack, &new[2])? == 401, "a key that was withdrawn is none");
    ensure!(status(stack, &new[0])? == 401, "the issuer has another name now");
    Ok(())
}
