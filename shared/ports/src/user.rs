//! Names of users.

use model::{Error, Result};
use wire::keys::SUBJECT;

/// The user that is the caller.
pub const ME: &str = "me";

/// Upper bound for the bytes of a user's name, which is part of a key.
const USER: usize = 500;

/// The beginning of the name of each machine of a route of alerts; the route follows.
pub const MACHINE: &str = "alerts/";

/// Returns true for the machine of a route of alerts and for a program with an API key: nobody who
/// could own something.
pub fn is_program(user: &str) -> bool {
    user.starts_with(MACHINE) || user.starts_with(SUBJECT)
}

/// Checks that `user` may be the owner of something.
pub fn check_owner(user: &str) -> Result<()> {
    if is_program(user) {
        return Err(Error::invalid("user", "is a program, which owns nothing of others"));
    }
    check(user)
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_may_be_a_member_and_no_owner() {
        for program in ["alerts/shop", "key-01KEY"] {
            assert!(check(program).is_ok());
            assert!(matches!(check_owner(program), Err(Error::Invalid { .. })), "{program}");
        }
        assert!(check_owner("ann").is_ok() && check_owner(ME).is_err());
    }
}
