//! Generates the Rust code of the contract in `proto/` and the descriptor set that reflection and JSON read.
//!
//! The compiler is written in Rust, so that building haltgate needs no `protoc`.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs};

use prost::Message;

/// Where the contract lies, seen from the crate's root.
const PROTO_ROOT: &str = "proto";

/// The protocol of proxies that ask the gate; no part of the contract that reflection describes.
const OF_PROXIES: &str = "proto/envoy";

fn main() -> Result<(), Box<dyn Error>> {
    // Cargo looks through the whole folder; tonic's generator does not print these lines itself.
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed={PROTO_ROOT}");

    let (of_proxies, files) = proto_files(Path::new(PROTO_ROOT))?
        .into_iter()
        .partition::<Vec<_>, _>(|file| file.starts_with(OF_PROXIES));
    let descriptors = protox::compile(&files, [PROTO_ROOT])?;

    let out_dir = PathBuf::from(env::var_os("OUT_DIR").ok_or("cargo sets OUT_DIR for build scripts")?);
    fs::write(out_dir.join("haltgate_descriptor.bin"), descriptors.encode_to_vec())?;

    tonic_prost_build::configure().compile_fds(descriptors.clone())?;
    let folder = out_dir.join("server");
    fs::create_dir_all(&folder)?;
    server(&folder).compile_fds(descriptors)?;
    tonic_prost_build::configure().compile_fds(protox::compile(&of_proxies, [PROTO_ROOT])?)?;
    Ok(())
}

/// The server of the contract once more, for the gate itself: its messages are those of `crate::proto`, but for those of the
/// feeds, whose questions the gate encodes once for everybody.
fn server(folder: &Path) -> tonic_prost_build::Builder {
    let feeds = ["StreamEscalationsResponse", "StreamAttackHaltsResponse"];
    feeds.iter().fold(
        tonic_prost_build::configure()
            .build_client(false)
            .out_dir(folder)
            .extern_path(".haltgate.v1", "crate::proto::v1"),
        |generator, message| {
            let name = format!(".haltgate.v1.{message}");
            generator.extern_path(name, "crate::server::contract::FeedMessage")
        },
    )
}

/// Every `.proto` file below `root`, in an order that does not depend on the file system.
fn proto_files(root: &Path) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let mut files = Vec::new();
    let mut folders = vec![root.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "proto") {
                files.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}
