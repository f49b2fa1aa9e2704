//! What callers ask for: every method of the contract, told apart as far as rights differ.

use std::fmt;

/// Something that a caller may or may not do. Each method of the contract stands for one or more of them: which one, the
/// request's own fields say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Operation {
    /// Have a call decided, and the decision recorded.
    Decide,
    /// Have explained what would be decided: a dry run.
    Explain,
    /// Have a call rated.
    Rate,
    /// Follow the attack halts of one session.
    FollowHaltsOfSession,
    /// Follow the attack halts of a whole project.
    FollowHaltsOfProject,
    /// Follow the escalations of one session.
    FollowEscalationsOfSession,
    /// Follow the escalations of a whole project.
    FollowEscalationsOfProject,
    /// Answer an escalation or an attack halt.
    Answer,
    /// List grants and denials.
    ListGrants,
    /// Add a grant.
    Grant,
    /// Add a denial.
    Deny,
    /// Remove a grant.
    Revoke,
    /// Remove a denial.
    Lift,
    /// Look at the trust in MCP servers.
    ViewTrust,
    /// Change whose hints are believed.
    ChangeTrust,
    /// Have foretold what a change of trust would cost.
    PredictTrust,
    /// Take over the grants of a file.
    ImportGrants,
    /// Write the project's grants as a file.
    ExportGrants,
    /// Open a session, or open it again.
    OpenSession,
    /// Change what a session knows, its rung excepted.
    UpdateSession,
    /// Move a session to another rung.
    ChangeRung,
    /// Look at a session.
    GetSession,
    /// List sessions.
    ListSessions,
    /// Close a session.
    CloseSession,
    /// List the records of decisions.
    ListDecisions,
    /// Verify the audit chain.
    VerifyAudit,
    /// Read every record of the chain.
    ExportAudit,
    /// Ask which server answers.
    GetServerInfo,
}

impl Operation {
    /// Every operation.
    pub const ALL: [Self; 28] = [
        Self::Decide,
        Self::Explain,
        Self::Rate,
        Self::FollowHaltsOfSession,
        Self::FollowHaltsOfProject,
        Self::FollowEscalationsOfSession,
        Self::FollowEscalationsOfProject,
        Self::Answer,
        Self::ListGrants,
        Self::Grant,
        Self::Deny,
        Self::Revoke,
        Self::Lift,
        Self::ViewTrust,
        Self::ChangeTrust,
        Self::PredictTrust,
        Self::ImportGrants,
        Self::ExportGrants,
        Self::OpenSession,
        Self::UpdateSession,
        Self::ChangeRung,
        Self::GetSession,
        Self::ListSessions,
        Self::CloseSession,
        Self::ListDecisions,
        Self::VerifyAudit,
        Self::ExportAudit,
        Self::GetServerInfo,
    ];

    /// Its name in records and logs.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Decide => "decide",
            Self::Explain => "explain",
            Self::Rate => "rate",
            Self::FollowHaltsOfSession => "follow_halts_of_session",
            Self::FollowHaltsOfProject => "follow_halts_of_project",
            Self::FollowEscalationsOfSession => "follow_escalations_of_session",
            Self::FollowEscalationsOfProject => "follow_escalations_of_project",
            Self::Answer => "answer",
            Self::ListGrants => "list_grants",
            Self::Grant => "grant",
            Self::Deny => "deny",
            Self::Revoke => "revoke",
            Self::Lift => "lift",
            Self::ViewTrust => "view_trust",
            Self::ChangeTrust => "change_trust",
            Self::PredictTrust => "predict_trust",
            Self::ImportGrants => "import_grants",
            Self::ExportGrants => "export_grants",
            Self::OpenSession => "open_session",
            Self::UpdateSession => "update_session",
            Self::ChangeRung => "change_rung",
            Self::GetSession => "get_session",
            Self::ListSessions => "list_sessions",
            Self::CloseSession => "close_session",
            Self::ListDecisions => "list_decisions",
            Self::VerifyAudit => "verify_audit",
            Self::ExportAudit => "export_audit",
            Self::GetServerInfo => "get_server_info",
        }
    }

    /// The method of the contract that carries it.
    #[must_use]
    pub fn method(self) -> &'static str {
        match self {
            Self::Decide | Self::Explain => "Decide",
            Self::Rate => "Rate",
            Self::FollowHaltsOfSession | Self::FollowHaltsOfProject => "StreamAttackHalts",
            Self::FollowEscalationsOfSession | Self::FollowEscalationsOfProject => "StreamEscalations",
            Self::Answer => "Answer",
            Self::ListGrants
            | Self::Grant
            | Self::Deny
            | Self::Revoke
            | Self::Lift
            | Self::ViewTrust
            | Self::ChangeTrust
            | Self::PredictTrust
            | Self::ImportGrants
            | Self::ExportGrants => "ManageGrants",
            Self::OpenSession => "OpenSession",
            Self::UpdateSession | Self::ChangeRung => "UpdateSession",
            Self::GetSession => "GetSession",
            Self::ListSessions => "ListSessions",
            Self::CloseSession => "CloseSession",
            Self::ListDecisions => "ListDecisions",
            Self::VerifyAudit => "VerifyAudit",
            Self::ExportAudit => "ExportAudit",
            Self::GetServerInfo => "GetServerInfo",
        }
    }

    /// What a method of the contract stands for; nothing where the contract has no such method.
    pub fn of_method(method: &str) -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().filter(move |operation| operation.method() == method)
    }

    /// Whether it changes what is stored. A refused change is itself recorded.
    #[must_use]
    pub fn changes(self) -> bool {
        match self {
            Self::Decide
            | Self::Answer
            | Self::Grant
            | Self::Deny
            | Self::Revoke
            | Self::Lift
            | Self::ChangeTrust
            | Self::ImportGrants
            | Self::OpenSession
            | Self::UpdateSession
            | Self::ChangeRung
            | Self::CloseSession => true,
            Self::Explain
            | Self::Rate
            | Self::FollowHaltsOfSession
            | Self::FollowHaltsOfProject
            | Self::FollowEscalationsOfSession
            | Self::FollowEscalationsOfProject
            | Self::ListGrants
            | Self::ViewTrust
            | Self::PredictTrust
            | Self::ExportGrants
            | Self::GetSession
            | Self::ListSessions
            | Self::ListDecisions
            | Self::VerifyAudit
            | Self::ExportAudit
            | Self::GetServerInfo => false,
        }
    }
}

impl fmt::Display for Operation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}
