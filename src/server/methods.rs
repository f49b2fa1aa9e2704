//! The methods that this gate serves, by their path.
//!
//! Promises that whatever is not served has one and the same name. Knows nothing of what a method does.

use crate::proto::FILE_DESCRIPTOR_SET;
use crate::telemetry::Method;
use prost::Message;
use prost_types::FileDescriptorSet;
use std::collections::HashMap;
use std::sync::LazyLock;

/// Served beside what the contract describes.
const BESIDE: [Method; 3] = [
    Method { grpc_service: "envoy.service.auth.v3.Authorization", grpc_method: "Check" },
    Method { grpc_service: "grpc.reflection.v1.ServerReflection", grpc_method: "ServerReflectionInfo" },
    Method { grpc_service: "grpc.reflection.v1alpha.ServerReflection", grpc_method: "ServerReflectionInfo" },
];

/// Every method by its path. The names live as long as the program, because labels do.
static METHODS: LazyLock<HashMap<String, Method>> = LazyLock::new(|| {
    // The set was made by this program's own build: what cannot be read is not there to be counted by name.
    let files = FileDescriptorSet::decode(FILE_DESCRIPTOR_SET).unwrap_or_default().file;
    let mut methods = BESIDE.to_vec();
    for file in &files {
        for service in &file.service {
            let grpc_service = leaked(format!("{}.{}", file.package(), service.name()));
            let named = |method: &str| Method { grpc_service, grpc_method: leaked(method.to_owned()) };
            methods.extend(service.method.iter().map(|method| named(method.name())));
        }
    }
    let path = |method: &Method| format!("/{}/{}", method.grpc_service, method.grpc_method);
    methods.iter().map(|method| (path(method), *method)).collect()
});

/// A text that lives as long as the program; called for a handful of names, once.
fn leaked(text: String) -> &'static str {
    Box::leak(text.into_boxed_str())
}

/// The method at a path.
pub(super) fn at(path: &str) -> Option<Method> {
    METHODS.get(path).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_served_has_its_own_name_and_nothing_else_has_one() {
        for path in [
            "/haltgate.v1.ApprovalGate/Decide",
            "/haltgate.v1.ApprovalGate/StreamAttackHalts",
            "/grpc.health.v1.Health/Check",
            "/envoy.service.auth.v3.Authorization/Check",
            "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo",
        ] {
            let method = at(path).unwrap();
            assert_eq!(format!("/{}/{}", method.grpc_service, method.grpc_method), path);
        }
        for path in ["/haltgate.v1.ApprovalGate/NoSuch", "/haltgate.v1.ApprovalGate/decide", "/", "", "/a/b"]
        {
            assert_eq!(at(path), None, "{path}");
        }
    }
}
