//! The certificate with which an address answers.

use std::net::{TcpStream, ToSocketAddrs};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result};
use jiff::{SignedDuration, Timestamp};
use oauth2::url::Url;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, ClientConnection, RootCertStore};
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
    let roots = RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.into() };
    let told = shown(&url, roots).and_then(|certificate| end(&certificate));
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

/// Returns the certificate that a server shows, if one of the roots vouches for it.
fn shown(url: &Url, roots: RootCertStore) -> Result<CertificateDer<'static>> {
    let host = url.host_str().context("the address has no host")?;
    let port = url.port_or_known_default().unwrap_or(443);
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
    // Returns once the handshake is over.
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
    use std::net::TcpListener;

    use rustls::pki_types::PrivateKeyDer;
    use rustls::pki_types::pem::PemObject;
    use rustls::{ServerConfig, ServerConnection};

    use super::*;

    // Made for this test by `openssl`, the key too.
    const ROOT: &[u8] = include_bytes!("certificate/ca.pem");
    const LOCALHOST: &[u8] = include_bytes!("certificate/localhost.pem");
    const KEY: &[u8] = include_bytes!("certificate/key.pem");

    /// Returns the address of a server that shows the certificate, once.
    fn server() -> Url {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("https://localhost:{}", listener.local_addr().unwrap().port());
        let certificate = CertificateDer::from_pem_slice(LOCALHOST).unwrap();
        let key = PrivateKeyDer::from_pem_slice(KEY).unwrap();
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![certificate], key)
            .unwrap();
        std::thread::spawn(move || {
            let (mut socket, _) = listener.accept().unwrap();
            let mut connection = ServerConnection::new(Arc::new(config)).unwrap();
            let _ = connection.complete_io(&mut socket);
        });
        Url::parse(&url).unwrap()
    }

    #[test]
    fn the_certificate_of_a_server_is_seen_if_a_root_vouches_for_it() {
        let mut roots = RootCertStore::empty();
        assert!(shown(&server(), roots.clone()).is_err());
        roots.add(CertificateDer::from_pem_slice(ROOT).unwrap()).unwrap();
        let seen = shown(&server(), roots).unwrap();
        assert_eq!(seen, CertificateDer::from_pem_slice(LOCALHOST).unwrap());
    }

    #[test]
    fn a_certificate_near_its_end_is_a_fault() {
        let end = end(&CertificateDer::from_pem_slice(LOCALHOST).unwrap()).unwrap();
        assert_eq!(end.to_string(), "2126-11-06T11:38:19Z");
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
