//! `plumbline`: the command line, and the program that it starts.

use std::process::ExitCode;

fn main() -> ExitCode {
    plumbline::command::run(&serve::program::Program)
}
