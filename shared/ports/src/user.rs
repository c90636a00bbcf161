//! Names of users.

use model::{Error, Result};

/// The user that is the caller.
pub const ME: &str = "me";

/// Upper bound for the bytes of a user's name, which is part of a key.
const USER: usize = 500;

/// Checks that `user` may be the name of a member.
pub fn check(user: &str) -> Result<()> {
    if user == ME {
        return Err(Error::invalid("user", "`me` is the caller, who is no other user"));
    }
    if user.is_empty() || user.len() > USER || user.chars().any(char::is_control) {
        let reason = format!("must have 1 to {USER} bytes and no control characters");
        return Err(Error::invalid("user", reason));
    }
    Ok(())
}
