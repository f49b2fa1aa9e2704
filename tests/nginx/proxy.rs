//! An nginx of one test: unprivileged, in a folder of its own, on a free port.

use haltgate::client::{Address, Client, Options};
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::os::unix::fs::chown;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use tempfile::TempDir;
use tokio::net::TcpStream;

/// The configuration that is handed out.
const CONFIGURATION: &str = include_str!("../../deploy/nginx/haltgate.conf");

/// Whoever owns nothing.
const NOBODY: u32 = 65_534;

/// How often to choose another port, where somebody else took it meanwhile.
const ATTEMPTS: usize = 20;

/// A running nginx.
pub struct Nginx {
    process: Child,
    pub port: u16,
    /// The certificate of the authority that signed nginx's own.
    pub authority: String,
    _folder: TempDir,
}

impl Nginx {
    /// In front of a gate, with some lines of the configuration changed.
    pub async fn before(gate: SocketAddr, changes: &[(&str, &str)]) -> Self {
        for _attempt in 0..ATTEMPTS {
            if let Some(nginx) = Self::try_before(gate, changes).await {
                return nginx;
            }
        }
        panic!("nginx did not start");
    }

    async fn try_before(gate: SocketAddr, changes: &[(&str, &str)]) -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name).display().to_string();
        let port = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap().local_addr().unwrap().port();
        let authority = certificates(folder.path());
        let (listen, backend) = (format!("listen 127.0.0.1:{port} ssl"), format!("server {gate};"));
        let origin = format!("https://localhost:{port}");
        let (certificate, key) = (path("tls.crt"), path("tls.key"));
        let own = [
            ("listen 443 ssl", listen.as_str()),
            ("server 127.0.0.1:7557;", &backend),
            ("https://gate.example", &origin),
            ("/etc/nginx/tls/gate.example.crt", &certificate),
            ("/etc/nginx/tls/gate.example.key", &key),
            ("server_name gate.example;", "server_name localhost;"),
        ];
        let text = own.iter().chain(changes).fold(CONFIGURATION.to_owned(), |text, (from, to)| {
            assert!(text.contains(from), "the configuration has no {from}");
            text.replace(from, to)
        });
        std::fs::write(path("haltgate.conf"), text).unwrap();
        let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
            .map(|kind| format!("    {kind}_temp_path {};\n", path(kind)))
            .concat();
        let main = format!(
            "daemon off;\nmaster_process off;\npid {};\nevents {{ worker_connections 256; }}\nhttp {{\n    access_log \
             off;\n{temporary}    include {};\n}}\n",
            path("pid"),
            path("haltgate.conf"),
        );
        std::fs::write(path("nginx.conf"), main).unwrap();
        let mut command = Command::new(program());
        command.args(["-e", "stderr", "-p", &path(""), "-c", &path("nginx.conf")]).stdin(Stdio::null());
        if rustix::process::geteuid().is_root() {
            for entry in std::fs::read_dir(folder.path()).unwrap() {
                chown(entry.unwrap().path(), Some(NOBODY), Some(NOBODY)).unwrap();
            }
            chown(folder.path(), Some(NOBODY), Some(NOBODY)).unwrap();
            command.uid(NOBODY).gid(NOBODY);
        }
        let mut nginx = Self { process: command.spawn().unwrap(), port, authority, _folder: folder };
        loop {
            // It ends at once where it cannot have the port.
            if nginx.process.try_wait().unwrap().is_some() {
                return None;
            }
            if TcpStream::connect((Ipv4Addr::LOCALHOST, port)).await.is_ok() {
                return Some(nginx);
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// The Rust client, which trusts nginx's certificate.
    pub async fn client(&self) -> Client {
        let address: Address = format!("https://localhost:{}", self.port).parse().unwrap();
        let options = Options::default().certificate_authority(self.authority.clone());
        options.connect(&address).await.unwrap()
    }

    /// A client of HTTP/1.1, as far as a browser is one.
    pub fn browser(&self) -> reqwest::Client {
        // The second test of a process finds it installed.
        let _again = rustls::crypto::ring::default_provider().install_default();
        let authority = reqwest::Certificate::from_pem(self.authority.as_bytes()).unwrap();
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, self.port));
        reqwest::Client::builder()
            .tls_certs_only([authority])
            .resolve("gate.elsewhere", address)
            .resolve("localhost", address)
            .build()
            .unwrap()
    }

    pub fn url(&self, path: &str) -> String {
        format!("https://localhost:{}{path}", self.port)
    }
}

impl Drop for Nginx {
    fn drop(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }
}

/// Debian keeps it where only root looks.
fn program() -> &'static str {
    if Path::new("/usr/sbin/nginx").exists() { "/usr/sbin/nginx" } else { "nginx" }
}

/// A certificate for this machine in a folder, and the authority that signed it.
fn certificates(folder: &Path) -> String {
    let mut parameters = rcgen::CertificateParams::new(Vec::new()).unwrap();
    parameters.is_ca = rcgen::IsCa::Ca(rcgen::BasicConstraints::Unconstrained);
    let authority =
        rcgen::CertifiedIssuer::self_signed(parameters, rcgen::KeyPair::generate().unwrap()).unwrap();
    let key = rcgen::KeyPair::generate().unwrap();
    let parameters = rcgen::CertificateParams::new(vec!["localhost".to_owned()]).unwrap();
    std::fs::write(folder.join("tls.crt"), parameters.signed_by(&key, &authority).unwrap().pem()).unwrap();
    std::fs::write(folder.join("tls.key"), key.serialize_pem()).unwrap();
    authority.pem()
}
