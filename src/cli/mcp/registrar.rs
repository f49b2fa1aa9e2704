//! Keeps the gate's idea of the server's tools the one that the server has.
//!
//! Promises that no call is judged before the tools are registered as the server describes them now; what it does not
//! describe is registered as nothing, which the gate takes for the worst. Knows nothing of calls.

use super::operator::say;
use super::proxy::Shared;
use crate::cli::connection::Connection;
use crate::cli::output;
use crate::client::{Client, Error};
use crate::display::one_line;
use crate::gate::registered_name;
use crate::mcp::{Catalogue, Declaration, MAX_TOOLS, Page, list_request};
use crate::proto::v1 as pb;
use pb::ErrorReason;
use std::collections::{HashMap, HashSet};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{mpsc, oneshot};

/// How long the server has to list all of its tools.
const LISTING: Duration = Duration::from_secs(15);

/// How many pages its listing may have.
const MAX_PAGES: u32 = 200;

/// How often the tools may change while they are registered.
const MAX_CHANGES: u32 = 5;

/// How long the gate has to hear that the session is over.
const LEAVING: Duration = Duration::from_secs(2);

/// What a call needs to know before it is judged.
pub(super) struct Question {
    /// The tool.
    pub(super) tool: String,
    /// What a request of a stateless revision must carry.
    pub(super) stateless: Option<String>,
    pub(super) reply: oneshot::Sender<Result<Standing, Obstacle>>,
}

/// The gate knows the tools.
pub(super) struct Standing {
    /// The gate.
    pub(super) client: Client,
    /// As of this change.
    pub(super) epoch: u64,
    /// What the server says of the tool in question.
    pub(super) declaration: Option<Declaration>,
}

/// Why there is no decision.
#[derive(Debug)]
pub(super) enum Obstacle {
    /// The gate cannot be reached.
    Away,
    /// It refuses.
    Refused(String),
}

impl fmt::Display for Obstacle {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Away => formatter.write_str("the gate cannot be reached"),
            Self::Refused(why) => formatter.write_str(why),
        }
    }
}

impl From<Error> for Obstacle {
    fn from(error: Error) -> Self {
        match error {
            Error::GateUnavailable(_) => Self::Away,
            Error::AttackHalted(_)
            | Error::Unattended(_)
            | Error::UnexpectedAnswer(_)
            | Error::InvalidRequest(_)
            | Error::Refused(_) => Self::Refused(one_line(&error.to_string())),
        }
    }
}

/// The one who speaks to the gate about the session.
pub(super) struct Registrar {
    connection: Connection,
    shared: Arc<Shared>,
    client: Option<Client>,
    /// The session was there before.
    attached: bool,
    registered: Option<Registered>,
    requests: u64,
}

struct Registered {
    epoch: u64,
    catalogue: Arc<Catalogue>,
    tools: Vec<pb::ToolDeclaration>,
}

impl Registrar {
    pub(super) fn new(connection: Connection, shared: Arc<Shared>) -> Self {
        Self { connection, shared, client: None, attached: false, registered: None, requests: 0 }
    }

    /// Answers questions, one after another.
    pub(super) async fn run(mut self, mut questions: mpsc::Receiver<Question>) {
        // The operator should learn at once that the gate is away, and not from the first call.
        if let Err(obstacle) = self.attach().await {
            say(&format!("{obstacle}; calls are refused until it answers"));
        }
        while let Some(question) = questions.recv().await {
            let answer = self.stand(&question).await;
            // Nobody waits for a call that was given up.
            let _given_up = question.reply.send(answer);
        }
    }

    async fn stand(&mut self, question: &Question) -> Result<Standing, Obstacle> {
        for _change in 0..MAX_CHANGES {
            let (client, session) = self.attach().await?;
            let epoch = self.shared.traffic().epoch();
            let key = &self.shared.place.key;
            let held = self.registered.as_ref().filter(|registered| holds(&session, key, &registered.tools));
            // A stateless server tells of changes only those who subscribed to them.
            let current = held.is_some_and(|held| held.epoch == epoch) && question.stateless.is_none();
            if !current {
                let held = held.map(|held| Arc::clone(&held.catalogue));
                let listed = self.list(question.stateless.as_deref()).await;
                let Some(catalogue) = listed.map(Arc::new) else {
                    say("the server does not list its tools; they are judged as if it said nothing of them");
                    self.registered = None;
                    self.register(&client, session, &Catalogue::default()).await?;
                    return Ok(Standing { client, epoch, declaration: None });
                };
                match &mut self.registered {
                    Some(registered) if held.as_ref() == Some(&catalogue) => registered.epoch = epoch,
                    Some(_) | None => {
                        if catalogue.is_cut() {
                            say(&format!(
                                "the server has more than {MAX_TOOLS} tools; the rest is judged as unknown"
                            ));
                        }
                        let tools = self.register(&client, session, &catalogue).await?;
                        self.shared.traffic().know(Arc::clone(&catalogue));
                        self.registered = Some(Registered { epoch, catalogue, tools });
                    }
                }
            }
            if self.shared.traffic().epoch() == epoch {
                let registered = self.registered.as_ref();
                let declaration =
                    registered.and_then(|known| known.catalogue.declaration(&question.tool).cloned());
                return Ok(Standing { client, epoch, declaration });
            }
        }
        Err(Obstacle::Refused("the server changes its tools faster than they can be registered".to_owned()))
    }

    /// The session as it stands, opened where nobody did.
    async fn attach(&mut self) -> Result<(Client, pb::GetSessionResponse), Obstacle> {
        let client = self.connect().await?;
        match self.look(&client).await {
            Ok(shown) if self.attached || state(&shown) == pb::SessionState::Open => {
                self.notice(&shown);
                Ok((client, shown))
            }
            Ok(_closed_before) => self.open(client).await,
            Err(error) if error.reason() == Some(ErrorReason::SessionNotFound) => self.open(client).await,
            Err(error) => Err(error.into()),
        }
    }

    async fn connect(&mut self) -> Result<Client, Obstacle> {
        if let Some(client) = &self.client {
            return Ok(client.clone());
        }
        match self.connection.open().await {
            Ok(client) => Ok(self.client.insert(client).clone()),
            Err(failure) => {
                output::complain(&failure.render());
                Err(Obstacle::Away)
            }
        }
    }

    async fn look(&self, client: &Client) -> Result<pb::GetSessionResponse, Error> {
        let place = &self.shared.place;
        let request = pb::GetSessionRequest {
            project: place.project.clone(),
            session_id: place.session.clone(),
            include_tools: true,
        };
        client.get_session(request).await
    }

    async fn open(&mut self, client: Client) -> Result<(Client, pb::GetSessionResponse), Obstacle> {
        let place = &self.shared.place;
        let request = pb::OpenSessionRequest {
            project: place.project.clone(),
            session_id: place.session.clone(),
            labels: [("adapter".to_owned(), "mcp".to_owned()), ("mcp_server".to_owned(), place.key.clone())]
                .into(),
            cwd: place.cwd.clone(),
            home: place.home.clone(),
            ..pb::OpenSessionRequest::default()
        };
        client.open_session(request).await?;
        let shown = self.look(&client).await?;
        self.notice(&shown);
        Ok((client, shown))
    }

    /// Says once what the session is, and warns where its policy looks at no MCP tool.
    fn notice(&mut self, shown: &pb::GetSessionResponse) {
        if std::mem::replace(&mut self.attached, true) {
            return;
        }
        let place = &self.shared.place;
        say(&format!(
            "tools of {} are judged in session {} of project {}",
            place.key, place.session, place.project
        ));
        let Some(posture) = &shown.posture else { return };
        let rung = posture.rung();
        let looks = match posture.gate_scope() {
            pb::GateScope::EveryCall => true,
            pb::GateScope::Rung | pb::GateScope::Unspecified => match rung {
                pb::Rung::Manual | pb::Rung::Write => true,
                pb::Rung::Assisted | pb::Rung::Auto | pb::Rung::Bypass | pb::Rung::Unspecified => false,
            },
        };
        if !looks {
            say(
                "this policy lets every MCP tool pass on this rung; `\"gate_scope\": \"every_call\"` in `approvals` has them judged",
            );
        }
    }

    /// Asks the server for all of its tools. `None` where it does not list them, or not in time.
    async fn list(&mut self, stateless: Option<&str>) -> Option<Catalogue> {
        let listed = tokio::time::timeout(LISTING, self.pages(stateless)).await;
        // Nobody waits for what comes later.
        self.shared.answers().clear();
        listed.ok().flatten()
    }

    async fn pages(&mut self, stateless: Option<&str>) -> Option<Catalogue> {
        let mut catalogue = Catalogue::default();
        let mut cursors = HashSet::new();
        let mut cursor: Option<String> = None;
        for _page in 0..MAX_PAGES {
            self.requests += 1;
            let id = format!("{}{}", self.shared.own, self.requests);
            let (sender, answer) = oneshot::channel();
            let request = list_request(&id, cursor.as_deref(), stateless);
            self.shared.answers().insert(id, sender);
            self.shared.to_server.send(request).await.ok()?;
            let result = answer.await.ok().flatten()?;
            let page = Page::read(&result).ok()?;
            cursor.clone_from(&page.next);
            catalogue.add(page);
            match &cursor {
                None => return Some(catalogue),
                Some(next) if !cursors.insert(next.clone()) => return None,
                Some(_next) => {}
            }
        }
        None
    }

    /// Registers the tools beside those of other servers in the session.
    async fn register(
        &mut self,
        client: &Client,
        shown: pb::GetSessionResponse,
        catalogue: &Catalogue,
    ) -> Result<Vec<pb::ToolDeclaration>, Obstacle> {
        let place = &self.shared.place;
        let mut keys = shown.session.map(|session| session.mcp_servers).unwrap_or_default();
        if !keys.contains(&place.key) {
            keys.push(place.key.clone());
        }
        let others: Vec<pb::ToolDeclaration> = shown
            .tools
            .map(|catalogue| catalogue.tools)
            .unwrap_or_default()
            .into_iter()
            .filter(|tool| owner(&tool.registered_name, &keys) != Some(&place.key))
            .collect();
        let taken: HashSet<&str> = others.iter().map(|tool| tool.registered_name.as_str()).collect();
        let tools: Vec<pb::ToolDeclaration> = catalogue
            .tools()
            .map(|(name, declaration)| declared(&place.key, name, declaration))
            // Two servers whose keys and tools make one registered name: what is said of it counts for neither.
            .filter(|tool| !taken.contains(tool.registered_name.as_str()))
            .take(MAX_TOOLS.saturating_sub(others.len()))
            .collect();
        let request = pb::UpdateSessionRequest {
            project: place.project.clone(),
            session_id: place.session.clone(),
            tools: Some(pb::ToolCatalogue {
                tools: others.into_iter().chain(tools.iter().cloned()).collect(),
            }),
            mcp_servers: Some(pb::McpServers { keys }),
            ..pb::UpdateSessionRequest::default()
        };
        client.update_session(request).await?;
        Ok(tools)
    }
}

fn state(shown: &pb::GetSessionResponse) -> pb::SessionState {
    shown.session.as_ref().map_or(pb::SessionState::Unspecified, pb::Session::state)
}

/// Whether the session still holds what was registered: another proxy, or a gate that lost it, may have replaced it.
fn holds(shown: &pb::GetSessionResponse, key: &str, registered: &[pb::ToolDeclaration]) -> bool {
    let keys = shown.session.as_ref().map(|session| session.mcp_servers.as_slice()).unwrap_or_default();
    let tools = shown.tools.as_ref().map(|catalogue| catalogue.tools.as_slice()).unwrap_or_default();
    let mine =
        |tool: &&pb::ToolDeclaration| owner(&tool.registered_name, keys).is_some_and(|owner| owner == key);
    let there: HashMap<&str, Hints> = tools.iter().filter(mine).map(said).collect();
    keys.iter().any(|known| known == key) && there == registered.iter().map(said).collect()
}

type Hints = [Option<bool>; 4];

/// What counts of a declaration.
fn said(tool: &pb::ToolDeclaration) -> (&str, Hints) {
    let hints = tool.annotations.unwrap_or_default();
    let hints = [hints.read_only_hint, hints.destructive_hint, hints.idempotent_hint, hints.open_world_hint];
    (&tool.registered_name, hints)
}

/// Whose tool a registered name is: the longest key that explains it, as nothing says where a key ends.
fn owner<'k>(registered: &str, keys: &'k [String]) -> Option<&'k String> {
    let explains = |key: &&String| registered.starts_with(&registered_name(key, ""));
    keys.iter().filter(explains).max_by_key(|key| key.len())
}

fn declared(key: &str, name: &str, declaration: &Declaration) -> pb::ToolDeclaration {
    let hints = declaration.hints;
    pb::ToolDeclaration {
        registered_name: registered_name(key, name),
        description: declaration.description.clone(),
        annotations: Some(pb::ToolAnnotations {
            read_only_hint: hints.read_only,
            destructive_hint: hints.destructive,
            idempotent_hint: hints.idempotent,
            open_world_hint: hints.open_world,
        }),
    }
}

/// Closes a session that nobody else uses: what a human is still asked in it needs no answer any more.
pub(super) async fn leave(connection: &Connection, shared: &Shared) {
    let place = &shared.place;
    if !place.own {
        return;
    }
    let request =
        pb::CloseSessionRequest { project: place.project.clone(), session_id: place.session.clone() };
    let closed = async { connection.open().await.ok()?.close_session(request).await.ok() };
    // A gate that is away closes it some other day.
    let _away = tokio::time::timeout(LEAVING, closed).await;
}
