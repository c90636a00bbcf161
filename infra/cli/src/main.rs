//! The binary: the command line is the library's.

use std::process::ExitCode;

fn main() -> ExitCode {
    plumbline::command::run()
}
