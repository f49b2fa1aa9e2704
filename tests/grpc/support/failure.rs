//! A status as the contract describes it, taken apart.

use std::collections::BTreeMap;
use std::time::Duration;
use tonic::{Code, Status};
use tonic_types::StatusExt;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    pub code: Code,
    pub message: String,
    pub reason: String,
    pub domain: String,
    pub metadata: BTreeMap<String, String>,
    /// The paths of the fields that are named.
    pub fields: Vec<String>,
    pub retry_after: Option<Duration>,
}

impl Failure {
    pub fn of(status: &Status) -> Self {
        let details = status.get_error_details();
        let (reason, domain, metadata) = details
            .error_info()
            .map(|info| (info.reason.clone(), info.domain.clone(), info.metadata.clone()))
            .unwrap_or_default();
        let fields = details
            .bad_request()
            .map(|bad| bad.field_violations.iter().map(|violation| violation.field.clone()).collect());
        Self {
            code: status.code(),
            message: status.message().to_owned(),
            reason,
            domain,
            metadata: metadata.into_iter().collect(),
            fields: fields.unwrap_or_default(),
            retry_after: details.retry_info().and_then(|retry| retry.retry_delay),
        }
    }

    pub fn metadata(&self, key: &str) -> &str {
        self.metadata.get(key).map_or("(absent)", String::as_str)
    }

    /// Fails the test unless this is that status with that reason and everything that the contract promises beside it.
    #[track_caller]
    pub fn expect(&self, code: Code, reason: &str) -> &Self {
        assert_eq!((self.code, self.reason.as_str()), (code, reason), "{self:#?}");
        assert_eq!(self.domain, "haltgate.dev", "{self:#?}");
        let retryable = matches!(code, Code::Unavailable | Code::ResourceExhausted);
        assert_eq!(self.retry_after.is_some(), retryable, "{self:#?}");
        assert_eq!(!self.fields.is_empty(), code == Code::InvalidArgument, "{self:#?}");
        assert!(!self.message.is_empty());
        self
    }

    /// Fails the test unless this is `INVALID_ARGUMENT` for that reason and names exactly that field.
    #[track_caller]
    pub fn expect_field(&self, reason: &str, field: &str) {
        self.expect(Code::InvalidArgument, reason);
        assert_eq!(self.fields, [field], "{self:#?}");
        let carries_field = reason != "REQUEST_ID_REUSED";
        if carries_field {
            assert_eq!(self.metadata("field"), field, "{self:#?}");
        }
        if reason == "LIMIT_EXCEEDED" {
            let number = |key: &str| self.metadata(key).parse::<u64>().unwrap();
            assert!(number("actual") > number("limit"), "{self:#?}");
            assert!(matches!(self.metadata("unit"), "bytes" | "characters" | "items"), "{self:#?}");
        }
    }
}
