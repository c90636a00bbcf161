//! The parts that all AWS clients share. Region and credentials are the function's own, from its
//! environment: looking for them anywhere else (profiles, instance metadata) costs cold starts and
//! finds nothing in a Lambda.

use std::time::Duration;

use aws_credential_types::Credentials;
use aws_credential_types::provider::SharedCredentialsProvider;
use aws_smithy_async::rt::sleep::{SharedAsyncSleep, TokioSleep};
use aws_smithy_async::time::{SharedTimeSource, SystemTimeSource};
use aws_smithy_http_client::tls::{Provider, rustls_provider::CryptoMode};
use aws_smithy_types::retry::RetryConfig;
use aws_smithy_types::timeout::TimeoutConfig;
use aws_types::SdkConfig;
use aws_types::region::Region;
use aws_types::sdk_config::SharedHttpClient;

use crate::env::{self, SettingError};

/// The time that a service may take for one request.
pub(crate) struct Patience {
    /// The time for one attempt.
    pub(crate) attempt: Duration,
    /// The time for all of them.
    pub(crate) operation: Duration,
}

/// The most that reads and writes of a few kilobytes take.
pub(crate) const SHORT: Patience =
    Patience { attempt: Duration::from_millis(1_500), operation: Duration::from_secs(4) };

/// Configures a client of `service`, whose own endpoint variable ends in its name.
pub(crate) fn config(service: &str, patience: &Patience) -> Result<SdkConfig, SettingError> {
    let timeouts = TimeoutConfig::builder()
        .connect_timeout(Duration::from_secs(1))
        .operation_attempt_timeout(patience.attempt)
        .operation_timeout(patience.operation)
        .build();
    let mut config = SdkConfig::builder()
        .behavior_version(aws_sdk_dynamodb::config::BehaviorVersion::latest())
        .region(Region::new(env::required("AWS_REGION")?))
        .credentials_provider(SharedCredentialsProvider::new(credentials()?))
        .http_client(http_client())
        .retry_config(RetryConfig::standard().with_max_attempts(3))
        .timeout_config(timeouts)
        .sleep_impl(SharedAsyncSleep::new(TokioSleep::new()))
        .time_source(SharedTimeSource::new(SystemTimeSource::new()));
    let endpoint = env::optional(&format!("AWS_ENDPOINT_URL_{service}"));
    config.set_endpoint_url(endpoint.or_else(|| env::optional("AWS_ENDPOINT_URL")));
    Ok(config.build())
}

fn credentials() -> Result<Credentials, SettingError> {
    let key = env::required("AWS_ACCESS_KEY_ID")?;
    let secret = env::required("AWS_SECRET_ACCESS_KEY")?;
    Ok(Credentials::new(key, secret, env::optional("AWS_SESSION_TOKEN"), None, "environment"))
}

fn http_client() -> SharedHttpClient {
    aws_smithy_http_client::Builder::new()
        .tls_provider(Provider::Rustls(CryptoMode::Ring))
        .build_https()
}

/// The error and what it came from. Not `DisplayErrorContext`, which adds the answer as it came: it
/// quotes documents.
pub(crate) fn describe(error: &dyn std::error::Error) -> String {
    match error.source() {
        Some(cause) => format!("{error}: {}", describe(cause)),
        None => error.to_string(),
    }
}
