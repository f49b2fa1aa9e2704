package haltgate

import (
	"context"
	"crypto/rand"
	"time"

	"google.golang.org/protobuf/types/known/durationpb"

	pb "github.com/haltgate/haltgate/clients/go/haltgate/v1"
)

// How long one request is held for a human: less than proxies allow. A longer wait is more requests under one id.
const longestHold = time.Minute

type decideSettings struct {
	details   callDetails
	runID     string
	requestID string
	wait      bool
	maxWait   time.Duration
	dryRun    bool
}

// DecideOption says more about one decision.
type DecideOption interface {
	applyDecide(*decideSettings)
}

type decideOption func(*decideSettings)

func (option decideOption) applyDecide(settings *decideSettings) { option(settings) }

// WithRunID names the uninterrupted execution that the call belongs to: what an attack halts. Default: the session's
// calls that name no run.
func WithRunID(id string) DecideOption {
	return decideOption(func(settings *decideSettings) { settings.runID = id })
}

// RequestOption is for whatever can be asked for again under the same id.
type RequestOption interface {
	DecideOption
	AnswerOption
	GrantOption
}

type requestID string

func (id requestID) applyDecide(settings *decideSettings) { settings.requestID = string(id) }
func (id requestID) applyAnswer(settings *answerSettings) { settings.requestID = string(id) }
func (id requestID) applyGrant(settings *grantSettings)   { settings.requestID = string(id) }

// WithRequestID asks under an id of the caller's own, 1 to 128 printable ASCII characters. The same id with the same
// content gets the same answer, also in another process. Default: a new one each time.
func WithRequestID(id string) RequestOption { return requestID(id) }

// WithMaxWait bounds the wait for a human. What still waits then comes back as [Escalate]. Default: no bound but the
// context's.
func WithMaxWait(limit time.Duration) DecideOption {
	return decideOption(func(settings *decideSettings) {
		settings.maxWait = limit
		settings.wait = limit > 0
	})
}

// WithoutWaiting returns [Escalate] at once where a human is asked. Decide again under the same request id to pick up
// the answer.
func WithoutWaiting() DecideOption {
	return decideOption(func(settings *decideSettings) { settings.wait = false })
}

// WithDryRun explains what would be decided, and does nothing. The decision's Raw.Explanation has every step.
func WithDryRun() DecideOption {
	return decideOption(func(settings *decideSettings) { settings.dryRun = true })
}

// WithJustification is what the agent says for repeating a refused command, at most 4,000 characters.
func WithJustification(text string) DecideOption {
	return decideOption(func(settings *decideSettings) { settings.details.justification = text })
}

// CallOption is for single decisions and ratings.
type CallOption interface {
	DecideOption
	RateOption
}

type callOption func(*callDetails)

func (option callOption) applyDecide(settings *decideSettings) { option(&settings.details) }
func (option callOption) applyRate(settings *rateSettings)     { option(&settings.details) }

// WithDialect names the language of a shell command. Default: [DialectBash].
func WithDialect(dialect Dialect) CallOption {
	return callOption(func(details *callDetails) { details.dialect = dialect })
}

// DecideShell asks whether a shell command may run, exactly as the model wrote it.
func (session *Session) DecideShell(ctx context.Context, command string, options ...DecideOption) (*Decision, error) {
	return session.Decide(ctx, Shell(command), options...)
}

// DecideTool asks whether a tool of the agent itself may be called.
func (session *Session) DecideTool(
	ctx context.Context, name string, arguments map[string]any, options ...DecideOption,
) (*Decision, error) {
	return session.Decide(ctx, Tool(name, arguments), options...)
}

// DecideMCP asks whether a tool of an MCP server may be called.
func (session *Session) DecideMCP(
	ctx context.Context, server, name string, arguments map[string]any, options ...DecideOption,
) (*Decision, error) {
	return session.Decide(ctx, MCP(server, name, arguments), options...)
}

// DecideRegistered asks whether a tool may be called, by the one name that the agent registered it under.
func (session *Session) DecideRegistered(
	ctx context.Context, name string, arguments map[string]any, options ...DecideOption,
) (*Decision, error) {
	return session.Decide(ctx, Registered(name, arguments), options...)
}

// Decide asks whether a call may run, and waits for the human who may be asked. [Approve], [Reject] and, where waiting
// ended, [Escalate] are decisions; a halted run, one that nobody attends and every fault are errors.
func (session *Session) Decide(ctx context.Context, call Call, options ...DecideOption) (*Decision, error) {
	settings := decideSettings{wait: true}
	for _, option := range options {
		option.applyDecide(&settings)
	}
	message, err := call.message(settings.details)
	if err != nil {
		return nil, err
	}
	if settings.requestID == "" {
		settings.requestID = newRequestID()
	}
	request := &pb.DecideRequest{
		Project:   session.client.project,
		SessionId: session.id,
		RunId:     settings.runID,
		RequestId: settings.requestID,
		Call:      message,
		DryRun:    settings.dryRun,
	}
	if settings.dryRun || !settings.wait {
		answer, err := invoke(ctx, session.client, repeatable, session.client.stub.Decide, request)
		if err != nil {
			return nil, err
		}
		return settle(request, answer)
	}
	request.Wait = true
	waiting := wait{client: session.client, request: request}
	if settings.maxWait > 0 {
		waiting.until = time.Now().Add(settings.maxWait)
	}
	return waiting.run(ctx)
}

// newRequestID is an id that nobody else makes.
func newRequestID() string { return "go-" + rand.Text() }

// wait is one decision that a human may have to make: as many requests as it takes, all under one id.
type wait struct {
	client  *Client
	request *pb.DecideRequest
	// until is when waiting ends. Zero: never.
	until time.Time
	// lost is since when the gate is gone. Zero while it is there.
	lost time.Time
	// failures in a row.
	failures int
}

func (waiting *wait) run(ctx context.Context) (*Decision, error) {
	for {
		asked := time.Now()
		answer, err := waiting.ask(ctx)
		if err != nil {
			if err := waiting.survive(ctx, err); err != nil {
				return nil, err
			}
			continue
		}
		waiting.failures, waiting.lost = 0, time.Time{}
		decision, err := settle(waiting.request, answer)
		if err != nil || decision.Action != Escalate || waiting.over() {
			return decision, err
		}
		// A gate that holds no request must not be asked in a tight loop.
		if time.Since(asked) < longestPause && !pause(ctx, waiting.left(longestPause)) {
			return nil, failure(ctx, context.DeadlineExceeded)
		}
	}
}

// ask sends the request once and lets the gate hold it.
func (waiting *wait) ask(ctx context.Context) (*pb.DecideResponse, error) {
	hold := waiting.left(longestHold)
	waiting.request.MaxWait = durationpb.New(hold)
	ctx, cancel := context.WithTimeout(ctx, hold+waiting.client.deadline)
	defer cancel()
	return waiting.client.stub.Decide(ctx, waiting.request)
}

// survive pauses after a fault that may pass, and returns the error of one that may not.
func (waiting *wait) survive(ctx context.Context, err error) error {
	waiting.failures++
	if waiting.lost.IsZero() {
		waiting.lost = time.Now()
	}
	typed := failure(ctx, err)
	if ctx.Err() != nil || !mayPass(err) {
		return typed
	}
	length := pauseAfter(waiting.failures, err)
	if waiting.over() || time.Since(waiting.lost)+length > waiting.client.reconnectFor || !pause(ctx, length) {
		return typed
	}
	return nil
}

func (waiting *wait) over() bool {
	return !waiting.until.IsZero() && !time.Now().Before(waiting.until)
}

// left is how much of a length fits into the wait.
func (waiting *wait) left(length time.Duration) time.Duration {
	if waiting.until.IsZero() {
		return length
	}
	return max(min(time.Until(waiting.until), length), 0)
}
