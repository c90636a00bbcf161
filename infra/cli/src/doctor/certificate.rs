//! The certificate with which an address answers.

use std::io::Write;
use std::net::{TcpStream, ToSocketAddrs};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result};
use jiff::{SignedDuration, Timestamp};
use oauth2::url::Url;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, ClientConnection, RootCertStore, Stream};
use x509_cert::Certificate;
use x509_cert::der::Decode;

use super::Finding;

/// The time before its end at which a certificate should have been renewed: Certificate Manager
/// begins 60 days before.
const DUE: SignedDuration = SignedDuration::from_hours(14 * 24);

/// The longest that the address may take for each step.
const PATIENCE: Duration = Duration::from_secs(10);

/// Judges the certificate of an address; none for one without encryption, which is on this machine.
pub(super) fn found(address: &str, now: Timestamp) -> Option<Finding> {
    let url = Url::parse(address).ok().filter(|url| url.scheme() == "https")?;
    let told = shown(&url).and_then(|certificate| end(&certificate));
    Some(match told {
        Ok(end) => judged(end, now),
        // The API answers: that its certificate cannot be read is no fault of its.
        Err(error) => Finding {
            is_well: true,
            of: "certificate",
            text: format!("cannot be looked at: {error:#}"),
            advice: None,
        },
    })
}

fn judged(end: Timestamp, now: Timestamp) -> Finding {
    let is_well = end.duration_since(now) > DUE;
    let advice = "Certificate Manager renews it while the record that proves the domain is there: see the certificate's status in its console.";
    let text = format!("of the address, ends on {}", end.strftime("%-d %B %Y"));
    Finding { is_well, of: "certificate", text, advice: Some(advice).filter(|_| !is_well) }
}

/// Returns the certificate that a server shows.
fn shown(url: &Url) -> Result<CertificateDer<'static>> {
    let host = url.host_str().context("the address has no host")?;
    let port = url.port_or_known_default().unwrap_or(443);
    let mut roots = RootCertStore::empty();
    roots.extend(webpki_roots::TLS_SERVER_ROOTS.iter().cloned());
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()?
        .with_root_certificates(roots)
        .with_no_client_auth();
    let name = ServerName::try_from(host.to_owned())?;
    let mut connection = ClientConnection::new(Arc::new(config), name)?;
    let server = (host, port).to_socket_addrs()?.next().context("the host has no address")?;
    let mut socket = TcpStream::connect_timeout(&server, PATIENCE)?;
    socket.set_read_timeout(Some(PATIENCE))?;
    socket.set_write_timeout(Some(PATIENCE))?;
    // The handshake ends before anything is sent.
    Stream::new(&mut connection, &mut socket).flush()?;
    connection.complete_io(&mut socket)?;
    let certificates = connection.peer_certificates().unwrap_or_default();
    certificates.first().cloned().map(CertificateDer::into_owned).context("it shows none")
}

/// Returns the time until which a certificate holds (RFC 5280, 4.1.2.5).
fn end(certificate: &CertificateDer<'_>) -> Result<Timestamp> {
    let certificate = Certificate::from_der(certificate)?;
    let end = certificate.tbs_certificate.validity.not_after.to_unix_duration();
    Ok(Timestamp::UNIX_EPOCH + end)
}

#[cfg(test)]
mod tests {
    use rustls::pki_types::pem::PemObject;

    use super::*;

    #[test]
    fn a_certificate_near_its_end_is_a_fault() {
        let pem = include_bytes!("../../../../shared/alerts/src/sns/sns.pem");
        let end = end(&CertificateDer::from_pem_slice(pem).unwrap()).unwrap();
        assert_eq!(end.to_string(), "2126-11-05T23:44:43Z");
        let told = |before: i64| judged(end, end - SignedDuration::from_hours(before * 24));
        assert!(told(15).is_well && told(15).advice.is_none());
        assert!(!told(14).is_well && told(14).advice.unwrap().contains("Certificate Manager"));
        assert!(!told(-1).is_well);
    }

    #[test]
    fn what_is_no_certificate_has_no_end_and_an_address_without_encryption_no_certificate() {
        assert!(end(&CertificateDer::from(b"no certificate".as_slice())).is_err());
        assert_eq!(found("http://127.0.0.1:1", Timestamp::UNIX_EPOCH), None);
        let refused = found("https://127.0.0.1:1", Timestamp::UNIX_EPOCH).unwrap();
        assert!(refused.is_well && refused.text.starts_with("cannot be looked at"));
    }
}
