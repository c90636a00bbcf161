//! The function `mcp`.

use adapters::Deployed;
use handlers::{All, Handler};
use lambda::PlainRequest;
use mcp::{Mcp, Settings};

#[lambda::tokio::main(flavor = "current_thread", crate = "lambda::tokio")]
async fn main() -> Result<(), lambda::Error> {
    let server = Mcp::new(Settings::from_env()?, All::of(&Deployed)?);
    lambda::serve_plain(async |request: PlainRequest| server.answer(request).await).await
}
