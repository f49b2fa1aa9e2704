//! Callers by the SPIFFE identity in the certificate of their connection.
//!
//! Promises that a certificate counts only if it carries exactly one URI and that is a SPIFFE identity, as the standard for such
//! certificates has it. That the certificate is good, and its holder has its key, the connection has checked before.

use super::Recognised;
use super::rejection::Rejection;
use crate::access::{Caller, SpiffeId, Via};
use crate::config::SpiffeCaller;
use crate::gate::Moment;
use crate::server::certificates::validity;
use rustls::pki_types::CertificateDer;
use std::sync::Arc;
use webpki::EndEntityCert;

/// The identity in a certificate.
pub(super) fn identity(certificate: &CertificateDer<'_>) -> Result<SpiffeId, Rejection> {
    let parsed = EndEntityCert::try_from(certificate).map_err(|_malformed| Rejection::Certificate)?;
    let mut names = parsed.valid_uri_names();
    match (names.next().and_then(SpiffeId::parse), names.next()) {
        (Some(id), None) => Ok(id),
        (Some(_) | None, Some(_)) | (None, None) => Err(Rejection::Certificate),
    }
}

/// The moment from which a certificate holds no longer. The second that it names is its last one.
pub(super) fn end(certificate: &CertificateDer<'_>) -> Result<Moment, Rejection> {
    let validity = validity(certificate).map_err(|_malformed| Rejection::Certificate)?;
    Ok(Moment(validity.until().0.saturating_add(1_000_000)))
}

/// Who that is.
pub(super) fn recognise(callers: &[SpiffeCaller], id: &SpiffeId) -> Result<Recognised, Rejection> {
    let found = callers.iter().find(|caller| caller.id.matches(id));
    let rights = &found.ok_or_else(|| Rejection::IdentityUnknown { id: id.as_str().to_owned() })?.rights;
    let caller = Caller {
        name: id.as_str().to_owned(),
        role: rights.role,
        projects: rights.projects.clone(),
        via: Via::Mtls,
    };
    Ok(Recognised { caller: Arc::new(caller), expires_at: None })
}

#[cfg(test)]
mod tests {
    use super::*;
    use rcgen::{CertificateParams, KeyPair, SanType};

    fn certificate(uris: &[&str]) -> CertificateDer<'static> {
        let mut params = CertificateParams::new(vec!["agent.example".to_owned()]).unwrap();
        params.subject_alt_names.extend(uris.iter().map(|uri| SanType::URI((*uri).try_into().unwrap())));
        params.self_signed(&KeyPair::generate().unwrap()).unwrap().der().clone()
    }

    #[test]
    fn a_certificate_is_of_the_one_identity_that_it_names_or_of_nobody() {
        let agent = "spiffe://example.org/ns/ai/sa/agent";
        assert_eq!(identity(&certificate(&[agent])).unwrap().as_str(), agent);
        for nobody in [
            &[][..],
            &[agent, "spiffe://example.org/ns/ai/sa/admin"],
            &[agent, "https://agent.example"],
            &["https://agent.example"],
            &["spiffe://Example.org/ns/ai"],
        ] {
            assert_eq!(identity(&certificate(nobody)), Err(Rejection::Certificate), "{nobody:?}");
        }
        let garbage = CertificateDer::from(vec![0x30, 0x82, 0xff, 0xff]);
        assert_eq!(identity(&garbage), Err(Rejection::Certificate));
    }
}
