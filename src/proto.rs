//! The contract as Rust types: generated at build time from the files in `proto/`, comments included.
//!
//! Promises nothing of its own and holds no logic but its own JSON; conversions to and from the gate's types live where they
//! are used.

use prost_reflect::{DescriptorPool, DynamicMessage, MessageDescriptor};
use std::sync::LazyLock;

/// The service `haltgate.v1.ApprovalGate` and its messages.
#[allow(missing_docs, unreachable_pub, clippy::all, clippy::pedantic, rustdoc::all)]
pub mod v1 {
    tonic::include_proto!("haltgate.v1");
}

/// The standard health protocol, `grpc.health.v1`.
#[allow(missing_docs, unreachable_pub, clippy::all, clippy::pedantic, rustdoc::all)]
pub mod health {
    tonic::include_proto!("grpc.health.v1");
}

/// What a proxy of the Envoy family asks before it passes a request on, as far as the gate speaks it.
#[allow(missing_docs, unreachable_pub, clippy::all, clippy::pedantic, rustdoc::all)]
pub mod ext_authz {
    tonic::include_proto!("envoy.service.auth.v3");
}

/// Every file of the contract, and what it imports, as an encoded `google.protobuf.FileDescriptorSet`.
pub const FILE_DESCRIPTOR_SET: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/haltgate_descriptor.bin"));

/// The domain of every `google.rpc.ErrorInfo` that the server sends.
pub const ERROR_DOMAIN: &str = "haltgate.dev";

/// The description of a message by its name in the contract, without the package.
///
/// # Errors
/// The contract has no such message.
pub(crate) fn descriptor(name: &str) -> Result<MessageDescriptor, String> {
    static POOL: LazyLock<Result<DescriptorPool, String>> =
        LazyLock::new(|| DescriptorPool::decode(FILE_DESCRIPTOR_SET).map_err(|error| error.to_string()));
    let pool = POOL.as_ref().map_err(String::clone)?;
    pool.get_message_by_name(&format!("haltgate.v1.{name}"))
        .ok_or_else(|| format!("the contract has no message {name}"))
}

/// An encoded message, so that it can be written as proto3 JSON.
///
/// # Errors
/// It is not that message.
pub(crate) fn dynamic(name: &str, bytes: &[u8]) -> Result<DynamicMessage, String> {
    DynamicMessage::decode(descriptor(name)?, bytes).map_err(|error| error.to_string())
}

impl v1::ErrorReason {
    /// The reason as it travels in a `google.rpc.ErrorInfo`: the name in the contract without its prefix.
    #[must_use]
    pub fn wire_name(self) -> &'static str {
        let name = self.as_str_name();
        name.strip_prefix("ERROR_REASON_").unwrap_or(name)
    }
}

#[cfg(test)]
mod tests {
    use prost::Message;
    use prost_types::{FileDescriptorProto, FileDescriptorSet};

    use super::*;

    fn contract() -> Vec<FileDescriptorProto> {
        let set = FileDescriptorSet::decode(FILE_DESCRIPTOR_SET).unwrap();
        set.file.into_iter().filter(|file| file.package() == "haltgate.v1").collect()
    }

    #[test]
    fn the_contract_imports_nothing_but_itself_and_the_well_known_types() {
        for file in contract() {
            for import in &file.dependency {
                let own = import.starts_with("haltgate/v1/") || import.starts_with("google/protobuf/");
                assert!(own, "{} imports {import}", file.name());
            }
        }
    }

    #[test]
    fn there_is_one_service_with_the_methods_of_the_design() {
        let services: Vec<_> = contract().into_iter().flat_map(|file| file.service).collect();
        assert_eq!(services.len(), 1);
        let names: Vec<_> = services[0].method.iter().map(|method| method.name()).collect();
        assert_eq!(
            names,
            [
                "Decide",
                "Rate",
                "StreamAttackHalts",
                "StreamEscalations",
                "Answer",
                "ManageGrants",
                "OpenSession",
                "UpdateSession",
                "GetSession",
                "ListSessions",
                "CloseSession",
                "ListDecisions",
                "VerifyAudit",
                "ExportAudit",
                "GetServerInfo",
            ]
        );
    }

    /// A field's comment is found by its path: 4 (message types), message index, 2 (fields), field index.
    #[test]
    fn the_comment_of_every_field_begins_with_the_name_of_the_field() {
        let mut fields = 0;
        for file in contract() {
            let info = file.source_code_info.clone().unwrap_or_default();
            for (m, message) in file.message_type.iter().enumerate() {
                for (f, field) in message.field.iter().enumerate() {
                    let path = [4, m as i32, 2, f as i32];
                    let comment = info.location.iter().find(|location| location.path == path);
                    let text =
                        comment.map(|location| location.leading_comments().trim_start()).unwrap_or_default();
                    let name = field.name();
                    assert!(text.starts_with(name), "{}.{name}: {text:?}", message.name());
                    fields += 1;
                }
            }
        }
        assert!(fields > 300, "only {fields} fields were seen");
    }

    #[test]
    fn every_error_reason_shows_an_example_with_its_own_wire_name_and_the_domain() {
        let reasons =
            contract().into_iter().find(|file| file.name().ends_with("error_reason.proto")).unwrap();
        let info = reasons.source_code_info.clone().unwrap();
        for (v, value) in reasons.enum_type[0].value.iter().enumerate().skip(1) {
            let path = [5, 0, 2, v as i32];
            let location = info.location.iter().find(|location| location.path == path).unwrap();
            let comment = location.leading_comments();
            let example = comment.split("```json").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
            let example: serde_json::Value = serde_json::from_str(example).unwrap();
            let reason = v1::ErrorReason::try_from(value.number()).unwrap();
            assert_eq!(example["reason"], reason.wire_name());
            assert_eq!(example["domain"], ERROR_DOMAIN);
            assert!(example["metadata"].is_object(), "{}", value.name());
        }
    }
}
