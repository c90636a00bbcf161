//! Finds the caller in `/proc`: the process at the other end of a local connection.

use std::fs::{self, DirEntry};
use std::net::SocketAddr;
use std::process::Command;

/// The environment variable that holds a Lambda function's name.
const NAME: &[u8] = b"AWS_LAMBDA_FUNCTION_NAME=";

/// A process that calls.
pub(super) struct Caller {
    process: u32,
    /// The Lambda function that it runs, if it runs one.
    pub(super) function: Option<String>,
}

impl Caller {
    /// Returns the process that is connected from `peer` to `server`; `None` if the system does not
    /// provide it.
    pub(super) fn between(peer: SocketAddr, server: SocketAddr) -> Option<Caller> {
        let process = holder(&socket(peer.port(), server.port())?)?;
        Some(Caller { process, function: function(process) })
    }

    /// Kills the process if it is a Lambda function; returns true if it was killed.
    pub(super) fn kill(&self) -> bool {
        let process = self.process.to_string();
        let kill = || Command::new("kill").args(["-s", "KILL", &process]).status();
        self.function.is_some() && kill().is_ok_and(|status| status.success())
    }
}

/// Returns the kernel's name of the socket from the port `local` to the port `remote`, seen from
/// `local`.
fn socket(local: u16, remote: u16) -> Option<String> {
    let port = |address: &str| u16::from_str_radix(address.split_once(':')?.1, 16).ok();
    let table = fs::read_to_string("/proc/net/tcp").ok()?;
    table.lines().skip(1).find_map(|row| {
        let fields: Vec<&str> = row.split_whitespace().collect();
        let [_, from, to, _, _, _, _, _, _, inode, ..] = fields[..] else { return None };
        let is_it = port(from) == Some(local) && port(to) == Some(remote);
        is_it.then(|| format!("socket:[{inode}]"))
    })
}

/// Returns the process that owns a socket.
fn holder(socket: &str) -> Option<u32> {
    let is_it =
        |file: DirEntry| fs::read_link(file.path()).is_ok_and(|to| to.as_os_str() == socket);
    fs::read_dir("/proc").ok()?.flatten().find_map(|entry| {
        let process: u32 = entry.file_name().to_str()?.parse().ok()?;
        let mut files = fs::read_dir(entry.path().join("fd")).ok()?.flatten();
        files.any(is_it).then_some(process)
    })
}

/// Returns the name of the Lambda function that a process runs.
fn function(process: u32) -> Option<String> {
    let environment = fs::read(format!("/proc/{process}/environ")).ok()?;
    let name = environment.split(|byte| *byte == 0).find_map(|entry| entry.strip_prefix(NAME))?;
    String::from_utf8(name.to_vec()).ok()
}
