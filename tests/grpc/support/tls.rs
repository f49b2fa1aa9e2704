//! Authorities and certificates, made in the test.

use haltgate::config::{ClientAuth, ServerSettings, TlsSettings, TlsVersion};
use rcgen::{
    BasicConstraints, CertificateParams, DistinguishedName, DnType, ExtendedKeyUsagePurpose, IsCa, Issuer,
    KeyPair, SanType, date_time_ymd,
};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};
use tempfile::TempDir;
use tonic::transport::{Certificate, Channel, ClientTlsConfig, Endpoint, Identity};

/// An authority that certificates come from.
pub struct Authority {
    pub pem: String,
    issuer: Issuer<'static, KeyPair>,
}

/// A certificate with its key.
#[derive(Clone)]
pub struct Pair {
    pub certificate: String,
    pub key: String,
}

impl Authority {
    pub fn new(name: &str) -> Self {
        let mut params = CertificateParams::new(Vec::new()).unwrap();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        params.distinguished_name = DistinguishedName::new();
        params.distinguished_name.push(DnType::CommonName, name);
        let key = KeyPair::generate().unwrap();
        let pem = params.self_signed(&key).unwrap().pem();
        Self { pem, issuer: Issuer::new(params, key) }
    }

    pub fn certify(&self, names: &[&str]) -> Pair {
        self.certify_during(names, (2020, 2099))
    }

    /// A certificate of a client that names these URIs.
    pub fn certify_uris(&self, uris: &[&str]) -> Pair {
        self.certify_uris_until(uris, SystemTime::UNIX_EPOCH + Duration::from_secs(4_000_000_000))
    }

    /// The same, until this moment.
    pub fn certify_uris_until(&self, uris: &[&str], end: SystemTime) -> Pair {
        let mut params = CertificateParams::new(Vec::new()).unwrap();
        params.not_after = end.into();
        params.subject_alt_names = uris.iter().map(|uri| SanType::URI((*uri).try_into().unwrap())).collect();
        params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ClientAuth];
        let key = KeyPair::generate().unwrap();
        let certificate = params.signed_by(&key, &self.issuer).unwrap().pem();
        Pair { certificate, key: key.serialize_pem() }
    }

    /// A certificate that holds from the beginning of one year to that of another.
    pub fn certify_during(&self, names: &[&str], years: (i32, i32)) -> Pair {
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        let mut params = CertificateParams::new(names).unwrap();
        params.extended_key_usages =
            vec![ExtendedKeyUsagePurpose::ServerAuth, ExtendedKeyUsagePurpose::ClientAuth];
        params.not_before = date_time_ymd(years.0, 1, 1);
        params.not_after = date_time_ymd(years.1, 1, 1);
        let key = KeyPair::generate().unwrap();
        let certificate = params.signed_by(&key, &self.issuer).unwrap().pem();
        Pair { certificate, key: key.serialize_pem() }
    }

    /// How a client comes that trusts this authority, with a certificate of its own or without.
    pub fn client(&self, name: &str, own: Option<&Pair>) -> ClientTlsConfig {
        let tls = ClientTlsConfig::new().ca_certificate(Certificate::from_pem(&self.pem)).domain_name(name);
        match own {
            Some(pair) => tls.identity(Identity::from_pem(&pair.certificate, &pair.key)),
            None => tls,
        }
    }
}

/// The files that a gate reads.
pub struct Files {
    pub folder: TempDir,
}

impl Files {
    pub fn of(pair: &Pair) -> Self {
        let files = Self { folder: tempfile::tempdir().unwrap() };
        files.write("tls.crt", &pair.certificate);
        files.write("tls.key", &pair.key);
        files
    }

    pub fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).unwrap();
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Settings of a gate that reads these files.
    pub fn settings(&self, client_auth: ClientAuth) -> ServerSettings {
        settings(self.folder.path(), client_auth)
    }
}

fn settings(folder: &Path, client_auth: ClientAuth) -> ServerSettings {
    let asked = client_auth != ClientAuth::None;
    ServerSettings {
        tls: Some(TlsSettings {
            certificate: folder.join("tls.crt"),
            key: folder.join("tls.key"),
            client_ca: asked.then(|| folder.join("ca.crt")),
            client_auth,
            min_version: TlsVersion::Tls12,
        }),
        ..ServerSettings::default()
    }
}

/// A connection to a gate, if it comes about.
pub async fn connect(
    address: std::net::SocketAddr,
    tls: ClientTlsConfig,
) -> Result<Channel, tonic::transport::Error> {
    Endpoint::from_shared(format!("https://{address}")).unwrap().tls_config(tls).unwrap().connect().await
}
