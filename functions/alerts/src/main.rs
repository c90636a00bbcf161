//! Takes alerts of monitoring systems. The gateway checks no token: each route says who may send.

use adapters::Deployed;
use handlers::Alerts;
use lambda::PlainRequest;

#[lambda::tokio::main(flavor = "current_thread", crate = "lambda::tokio")]
async fn main() -> Result<(), lambda::Error> {
    let alerts = Alerts::of(&Deployed)?;
    lambda::serve_plain(async |request: PlainRequest| {
        let route = request.path.rsplit('/').next().unwrap_or_default().to_owned();
        alerts.answer(&route, request).await
    })
    .await
}
