package haltgate

import (
	"context"
	"time"

	pb "github.com/haltgate/haltgate/clients/go/haltgate/v1"
)

// Session is one conversation of one agent. It has nothing to close on this side.
type Session struct {
	client *Client
	id     string
	opened *SessionInfo
}

// Session names a session. One that nobody opened is opened by its first decision, with the project's defaults.
func (client *Client) Session(id string) *Session { return &Session{client: client, id: id} }

// ID of the session.
func (session *Session) ID() string { return session.id }

// Opened is the session as it was when [Client.OpenSession] opened it. Nil for one that [Client.Session] named.
func (session *Session) Opened() *SessionInfo { return session.opened }

// SessionInfo is a session as it stands.
type SessionInfo struct {
	// SessionID of the session.
	SessionID string
	// Project that it belongs to.
	Project string
	// Open is false for a closed session, which decides nothing until it is opened again.
	Open bool
	// Rung in force.
	Rung Rung
	// Interactive is true when a human may be asked.
	Interactive bool
	// Command whose part of the policy applies.
	Command string
	// Labels for wording and filters.
	Labels map[string]string
	// Cwd is the working folder of calls that name none.
	Cwd string
	// Home is the home folder of calls that name none.
	Home string
	// MCPServers are the keys of the MCP servers that the agent is connected to.
	MCPServers []string
	// HaltedRuns, the latest first, at most 100.
	HaltedRuns []string
	// ToolCount is how many tools it knows.
	ToolCount uint32
	// OpenEscalations is how many decisions wait for a human.
	OpenEscalations uint32
	// PolicyRevision in force.
	PolicyRevision string
	// OpenedAt is when it was opened first.
	OpenedAt time.Time
	// ClosedAt is when it was closed. Zero while it is open.
	ClosedAt time.Time
	// Reopened is true when opening found a session of this id.
	Reopened bool
	// Notices of what was done to the session.
	Notices []Notice
	// Raw is the whole session.
	Raw *pb.Session
}

func sessionInfoOf(session *pb.Session, notices []*pb.Notice) *SessionInfo {
	return &SessionInfo{
		SessionID:       session.GetSessionId(),
		Project:         session.GetProject(),
		Open:            session.GetState() == pb.SessionState_SESSION_STATE_OPEN,
		Rung:            rungOf(session.GetRung()),
		Interactive:     session.GetInteractive(),
		Command:         session.GetCommand(),
		Labels:          session.GetLabels(),
		Cwd:             session.GetCwd(),
		Home:            session.GetHome(),
		MCPServers:      session.GetMcpServers(),
		HaltedRuns:      session.GetHaltedRuns(),
		ToolCount:       session.GetToolCount(),
		OpenEscalations: session.GetOpenEscalations(),
		PolicyRevision:  session.GetPolicyRevision(),
		OpenedAt:        moment(session.GetOpenedAt()),
		ClosedAt:        moment(session.GetClosedAt()),
		Notices:         noticesOf(notices),
		Raw:             session,
	}
}

// ToolDeclaration is a tool as its provider describes it. Nothing in it is believed unless the policy says so.
type ToolDeclaration struct {
	// RegisteredName that the agent calls it by: "mcp__<server>__<tool>" for a tool of an MCP server.
	RegisteredName string
	// Description for people.
	Description string
	// Annotations that the provider declares.
	Annotations Hints
}

type sessionSettings struct {
	id           string
	rung         Rung
	interactive  *bool
	command      string
	labels       map[string]string
	removed      []string
	cwd, home    *string
	tools        *pb.ToolCatalogue
	mcpServers   *pb.McpServers
	userMessages []string
	resetThread  bool
}

// OpenOption sets up a session that is opened.
type OpenOption interface {
	applyOpen(*sessionSettings)
}

// UpdateOption changes an open session. What no option names stays as it is.
type UpdateOption interface {
	applyUpdate(*sessionSettings)
}

// SessionOption is for [Client.OpenSession] and for [Session.Update].
type SessionOption interface {
	OpenOption
	UpdateOption
}

type sessionOption func(*sessionSettings)

func (option sessionOption) applyOpen(settings *sessionSettings)   { option(settings) }
func (option sessionOption) applyUpdate(settings *sessionSettings) { option(settings) }

type openOption func(*sessionSettings)

func (option openOption) applyOpen(settings *sessionSettings) { option(settings) }

type updateOption func(*sessionSettings)

func (option updateOption) applyUpdate(settings *sessionSettings) { option(settings) }

// FolderOption is for sessions and for single decisions and ratings.
type FolderOption interface {
	SessionOption
	DecideOption
	RateOption
}

type folderOption struct {
	sessionOption
	callOption
}

// WithSessionID opens the session of this id. Default: the server makes one.
func WithSessionID(id string) OpenOption {
	return openOption(func(settings *sessionSettings) { settings.id = id })
}

// WithCommand selects the part of the policy for one command of the agent. Default: none.
func WithCommand(command string) OpenOption {
	return openOption(func(settings *sessionSettings) { settings.command = command })
}

// WithRung begins at a rung, or changes to it. Default: the one that the policy selects.
func WithRung(rung Rung) SessionOption {
	return sessionOption(func(settings *sessionSettings) { settings.rung = rung })
}

// WithInteractive says whether a human may be asked. Default: yes. Where none may, what would ask is an
// [UnattendedError].
func WithInteractive(interactive bool) SessionOption {
	return sessionOption(func(settings *sessionSettings) { settings.interactive = &interactive })
}

// WithLabels sets labels, for wording and filters. They never change a decision.
func WithLabels(labels map[string]string) SessionOption {
	return sessionOption(func(settings *sessionSettings) { settings.labels = labels })
}

// WithTools declares every tool that the agent can call.
func WithTools(tools ...ToolDeclaration) SessionOption {
	return sessionOption(func(settings *sessionSettings) {
		settings.tools = &pb.ToolCatalogue{}
		for _, tool := range tools {
			settings.tools.Tools = append(settings.tools.Tools, &pb.ToolDeclaration{
				RegisteredName: tool.RegisteredName, Description: tool.Description, Annotations: tool.Annotations.message(),
			})
		}
	})
}

// WithMCPServers names the MCP servers that the agent is connected to, by their keys. Default: those of the policy.
func WithMCPServers(keys ...string) SessionOption {
	return sessionOption(func(settings *sessionSettings) { settings.mcpServers = &pb.McpServers{Keys: keys} })
}

// WithUserMessages tells what the user wrote, oldest first. For an open session: what the user wrote since.
func WithUserMessages(messages ...string) SessionOption {
	return sessionOption(func(settings *sessionSettings) { settings.userMessages = messages })
}

// WithoutLabels removes the labels of these keys.
func WithoutLabels(keys ...string) UpdateOption {
	return updateOption(func(settings *sessionSettings) { settings.removed = keys })
}

// WithResetThread forgets the negotiation and the user's messages.
func WithResetThread() UpdateOption {
	return updateOption(func(settings *sessionSettings) { settings.resetThread = true })
}

// WithCwd is the working folder: an absolute path. For a session, of all its calls that name none.
func WithCwd(path string) FolderOption {
	return folderOption{
		func(settings *sessionSettings) { settings.cwd = &path },
		func(details *callDetails) { details.cwd = path },
	}
}

// WithHome is the home folder of the account that would run the call: an absolute path. For a session, of all its calls
// that name none.
func WithHome(path string) FolderOption {
	return folderOption{
		func(settings *sessionSettings) { settings.home = &path },
		func(details *callDetails) { details.home = path },
	}
}

// OpenSession opens a session, or sets up anew the one that exists: its grants, denials and halted runs stay.
func (client *Client) OpenSession(ctx context.Context, options ...OpenOption) (*Session, error) {
	settings := sessionSettings{}
	for _, option := range options {
		option.applyOpen(&settings)
	}
	rung, err := settings.rung.number()
	if err != nil {
		return nil, err
	}
	request := &pb.OpenSessionRequest{
		Project:      client.project,
		SessionId:    settings.id,
		Rung:         rung,
		Interactive:  settings.interactive,
		Command:      settings.command,
		Labels:       settings.labels,
		Tools:        settings.tools,
		McpServers:   settings.mcpServers,
		UserMessages: settings.userMessages,
	}
	if settings.cwd != nil {
		request.Cwd = *settings.cwd
	}
	if settings.home != nil {
		request.Home = *settings.home
	}
	answer, err := invoke(ctx, client, onceOnly, client.stub.OpenSession, request)
	if err != nil {
		return nil, err
	}
	id := answer.GetSession().GetSessionId()
	if id == "" {
		return nil, &UnexpectedAnswerError{Field: "session.session_id", Problem: "is missing"}
	}
	if settings.id != "" && id != settings.id {
		return nil, mismatch("session.session_id", id, settings.id)
	}
	info := sessionInfoOf(answer.GetSession(), answer.GetNotices())
	info.Reopened = answer.GetReopened()
	return &Session{client: client, id: id, opened: info}, nil
}

// Update changes the session. It governs the very next call.
func (session *Session) Update(ctx context.Context, options ...UpdateOption) (*SessionInfo, error) {
	settings := sessionSettings{}
	for _, option := range options {
		option.applyUpdate(&settings)
	}
	rung, err := settings.rung.number()
	if err != nil {
		return nil, err
	}
	request := &pb.UpdateSessionRequest{
		Project:      session.client.project,
		SessionId:    session.id,
		Rung:         rung,
		Interactive:  settings.interactive,
		Tools:        settings.tools,
		McpServers:   settings.mcpServers,
		UserMessages: settings.userMessages,
		ResetThread:  settings.resetThread,
		Cwd:          settings.cwd,
		Home:         settings.home,
	}
	if len(settings.labels) > 0 || len(settings.removed) > 0 {
		request.Labels = &pb.LabelChanges{Set: settings.labels, Remove: settings.removed}
	}
	answer, err := invoke(ctx, session.client, onceOnly, session.client.stub.UpdateSession, request)
	if err != nil {
		return nil, err
	}
	return sessionInfoOf(answer.GetSession(), answer.GetNotices()), nil
}

// Get shows the session as it stands.
func (session *Session) Get(ctx context.Context) (*SessionInfo, error) {
	request := &pb.GetSessionRequest{Project: session.client.project, SessionId: session.id}
	answer, err := invoke(ctx, session.client, repeatable, session.client.stub.GetSession, request)
	if err != nil {
		return nil, err
	}
	return sessionInfoOf(answer.GetSession(), nil), nil
}

// Close ends the session: what waits for a human in it is withdrawn. Closing it again changes nothing.
func (session *Session) Close(ctx context.Context) (*SessionInfo, error) {
	request := &pb.CloseSessionRequest{Project: session.client.project, SessionId: session.id}
	answer, err := invoke(ctx, session.client, onceOnly, session.client.stub.CloseSession, request)
	if err != nil {
		return nil, err
	}
	return sessionInfoOf(answer.GetSession(), nil), nil
}
