//! Who calls: the process at the other end of a connection within this machine, as `/proc` tells.

use std::fs::{self, DirEntry};
use std::net::SocketAddr;
use std::process::Command;

/// By which a Lambda function is told its name.
const NAME: &[u8] = b"AWS_LAMBDA_FUNCTION_NAME=";

/// A process that calls.
pub(super) struct Caller {
    process: u32,
    /// The Lambda function that it runs, if it runs one.
    pub(super) function: Option<String>,
}

impl Caller {
    /// The process that talks from `peer` to `door`; `None` where this system does not tell.
    pub(super) fn between(peer: SocketAddr, door: SocketAddr) -> Option<Caller> {
        let process = holder(&socket(peer.port(), door.port())?)?;
        Some(Caller { process, function: function(process) })
    }

    /// Kills it, unless it is no Lambda function; whether that was done.
    pub(super) fn kill(&self) -> bool {
        let process = self.process.to_string();
        let kill = || Command::new("kill").args(["-s", "KILL", &process]).status();
        self.function.is_some() && kill().is_ok_and(|status| status.success())
    }
}

/// The kernel's name of the socket that connects the port `own` with the port `other`, seen from `own`.
fn socket(own: u16, other: u16) -> Option<String> {
    let port = |address: &str| u16::from_str_radix(address.split_once(':')?.1, 16).ok();
    let table = fs::read_to_string("/proc/net/tcp").ok()?;
    table.lines().skip(1).find_map(|row| {
        let fields: Vec<&str> = row.split_whitespace().collect();
        let [_, from, to, _, _, _, _, _, _, inode, ..] = fields[..] else { return None };
        let is_it = port(from) == Some(own) && port(to) == Some(other);
        is_it.then(|| format!("socket:[{inode}]"))
    })
}

/// The process that holds a socket.
fn holder(socket: &str) -> Option<u32> {
    let is_it =
        |file: DirEntry| fs::read_link(file.path()).is_ok_and(|to| to.as_os_str() == socket);
    fs::read_dir("/proc").ok()?.flatten().find_map(|entry| {
        let process: u32 = entry.file_name().to_str()?.parse().ok()?;
        let mut files = fs::read_dir(entry.path().join("fd")).ok()?.flatten();
        files.any(is_it).then_some(process)
    })
}

/// The name of the Lambda function that a process runs.
fn function(process: u32) -> Option<String> {
    let environment = fs::read(format!("/proc/{process}/environ")).ok()?;
    let name = environment.split(|byte| *byte == 0).find_map(|own| own.strip_prefix(NAME))?;
    String::from_utf8(name.to_vec()).ok()
}
