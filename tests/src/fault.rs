//! Faults that tests cause in a stack: calls that fail, a part that is frozen, a function that
//! handles one message at a time.

use std::process::Command;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use crate::{Stack, run, stack_py};

/// A service whose calls can be made to fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Service {
    /// Bedrock, the table, the bucket and the queues.
    Aws,
    /// Qdrant: the stand-in or a server.
    Index,
}

/// Calls that fail until this value is dropped; the held calls then continue.
pub struct Faults {
    agent: ureq::Agent,
    address: String,
}

impl Faults {
    /// Counts the calls that were struck.
    pub fn struck(&self) -> Result<u64> {
        let state: Value = self.agent.get(&self.address).call()?.body_mut().read_json()?;
        state["struck"].as_u64().context("`/faults` tells no number")
    }
}

impl Drop for Faults {
    fn drop(&mut self) {
        if let Err(error) = self.agent.delete(&self.address).call() {
            eprintln!("the faults at {} stay: {error}", self.address);
        }
    }
}

/// A function that handles one message at a time until this value is dropped. Each message is
/// delivered again as soon as the function is gone.
pub struct Alone<'a> {
    stack: &'a Stack,
    function: &'static str,
}

impl Drop for Alone<'_> {
    fn drop(&mut self) {
        if let Err(error) = self.stack.hand_out("off", self.function) {
            eprintln!("{} goes on alone: {error:#}", self.function);
        }
    }
}

/// A part that is frozen until this value is dropped.
pub struct Frozen {
    process: String,
}

impl Drop for Frozen {
    fn drop(&mut self) {
        if let Err(error) = signal("CONT", &self.process) {
            eprintln!("process {} stands still: {error:#}", self.process);
        }
    }
}

/// Keys of the issuer. The last one signs until this value is dropped; then only the first one is
/// left.
pub struct Rotated {
    agent: ureq::Agent,
    address: String,
}

impl Drop for Rotated {
    fn drop(&mut self) {
        if let Err(error) = self.agent.delete(&self.address).call() {
            eprintln!("the keys at {} stay: {error}", self.address);
        }
    }
}

impl Stack {
    /// Makes calls fail according to `rules`, a list of rules as in `infra/local/src/fault.rs`.
    pub fn faults(&self, service: Service, rules: &Value) -> Result<Faults> {
        let fact = match service {
            Service::Aws => "local_url",
            Service::Index => "qdrant_called_at",
        };
        let address = format!("{}/faults", self.fact(fact)?);
        let agent = agent();
        let mut reply = agent.post(&address).send_json(rules)?;
        let is_set = reply.status().is_success();
        ensure!(is_set, "{rules}: {}", reply.body_mut().read_to_string()?);
        Ok(Faults { agent, address })
    }

    /// Makes a function (`ingest`, `removal`, `digest`) handle one message at a time.
    pub fn alone(&self, function: &'static str) -> Result<Alone<'_>> {
        self.hand_out("on", function)?;
        Ok(Alone { stack: self, function })
    }

    fn hand_out(&self, turn: &str, function: &str) -> Result<()> {
        let state = self.state.to_string_lossy();
        stack_py(&["alone", "--state", &state, turn, function]).map(drop)
    }

    /// Freezes the process of a part, which then accepts connections and answers nothing.
    pub fn freeze(&self, part: &str) -> Result<Frozen> {
        let facts = std::fs::read_to_string(self.state.join("stack.json"))?;
        // The part may have been restarted since this stack was started.
        let facts: Value = serde_json::from_str(&facts)?;
        let process = facts["pids"][part].as_u64().with_context(|| format!("no {part} runs"))?;
        let process = process.to_string();
        signal("STOP", &process)?;
        Ok(Frozen { process })
    }

    /// Makes the issuer of tokens sign with a new key. The earlier key stays published.
    pub fn rotate_keys(&self) -> Result<Rotated> {
        let (agent, address) = (agent(), format!("{}/keys", self.fact("local_url")?));
        let reply = agent.post(&address).send_empty()?;
        ensure!(reply.status().is_success(), "{}", reply.status());
        Ok(Rotated { agent, address })
    }

    /// Returns the name under which a function is deployed.
    pub fn function(&self, name: &str) -> Result<&str> {
        self.facts["functions"][name].as_str().with_context(|| format!("no function {name}"))
    }
}

fn agent() -> ureq::Agent {
    ureq::Agent::config_builder().http_status_as_error(false).build().into()
}

fn signal(name: &str, process: &str) -> Result<()> {
    run(Command::new("kill").args(["-s", name, process])).map(drop)
}
