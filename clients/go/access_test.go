package haltgate_test

import (
	"context"
	"errors"
	"iter"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"

	haltgate "github.com/haltgate/haltgate/clients/go"
)

// guarded asks a human about everything, and lets nobody in without a token.
const guarded = `{ "approvals": "manual", "auth": { "tokens_file": "tokens.json" } }`

// refused is the refusal that an error must be.
func refused(t *testing.T, err error, code codes.Code, reason haltgate.Reason) *haltgate.RefusedError {
	t.Helper()
	var refusal *haltgate.RefusedError
	if !errors.As(err, &refusal) || !errors.Is(err, haltgate.ErrNotApproved) || refusal.Code != code || refusal.Reason != reason {
		t.Fatalf("not refused with %s %s: %v", code, reason, err)
	}
	return refusal
}

func TestAnAgentMayDecideAndOnlyAnOperatorMayAnswer(t *testing.T) {
	gate := prepare(t, guarded)
	agents, operators := gate.token("agent"), gate.token("operator")
	gate.start()
	ctx := bounded(t)
	agent, operator := gate.connect(haltgate.WithToken(agents)), gate.connect(haltgate.WithToken(operators))
	waiting := inBackground(func() (*haltgate.Decision, error) { return agent.Session("s").DecideShell(ctx, "mend docs") })
	next, stop := iter.Pull2(operator.WatchEscalations().Events(ctx))
	defer stop()
	question := asked(t, next)

	_, err := agent.Approve(ctx, question.EscalationID)
	refusal := refused(t, err, codes.PermissionDenied, haltgate.ReasonRoleNotAllowed)
	if refusal.Role() != "agent" || !slices.Equal(refusal.Needed(), []string{"operator", "admin"}) {
		t.Errorf("%q is told to need %q", refusal.Role(), refusal.Needed())
	}

	answered, err := operator.Approve(ctx, question.EscalationID)
	must(t, err)
	settled := <-waiting
	must(t, settled.err)
	if !settled.decision.Approved() || answered.Answer.AnsweredBy != "operator" {
		t.Errorf("not what the operator answered: %+v, %+v", settled.decision, answered.Answer)
	}
}

func TestWhoShowsNoTokenIsToldWhatIsNeededAndWhoShowsAWrongOneIsRefused(t *testing.T) {
	gate := prepare(t, guarded)
	gate.token("agent")
	gate.start()
	ctx := bounded(t)
	_, err := gate.connect().Session("s").DecideShell(ctx, "mend docs")
	refusal := refused(t, err, codes.Unauthenticated, haltgate.ReasonCredentialsMissing)
	if !slices.Contains(refusal.Needed(), "bearer") {
		t.Errorf("told to need %q", refusal.Needed())
	}
	_, err = gate.connect(haltgate.WithToken("made-up")).Session("s").DecideShell(ctx, "mend docs")
	refused(t, err, codes.Unauthenticated, haltgate.ReasonCredentialsInvalid)
}

func TestAFeedEndsWithTheReasonWhenItsTokenIsTakenBack(t *testing.T) {
	gate := prepare(t, guarded)
	operators := gate.token("operator")
	gate.start()
	errs := []error{}
	for event, err := range gate.connect(haltgate.WithToken(operators)).WatchEscalations().Events(bounded(t)) {
		if err != nil {
			errs = append(errs, err)
		} else if event.Kind == haltgate.SnapshotEnd {
			gate.run("token", "revoke", "--file", "tokens.json", "operator")
		}
	}
	if len(errs) != 1 {
		t.Fatalf("ended with %v", errs)
	}
	refused(t, errs[0], codes.Unauthenticated, haltgate.ReasonCredentialsInvalid)
}

func TestAFeedOutlivesTheAgeOfItsConnectionsAndTellsNothingOfIt(t *testing.T) {
	gate := serve(t, `{ "approvals": "manual", "server": { "max_connection_age": "1s" } }`)
	ctx := bounded(t)
	opened := atomic.Int32{}
	count := func(
		ctx context.Context, description *grpc.StreamDesc, connection *grpc.ClientConn, method string,
		streamer grpc.Streamer, options ...grpc.CallOption,
	) (grpc.ClientStream, error) {
		opened.Add(1)
		return streamer(ctx, description, connection, method, options...)
	}
	watch := gate.connect(haltgate.WithDialOptions(grpc.WithChainStreamInterceptor(count))).WatchEscalations()
	told := make(chan string, 1)
	go func() {
		line := ""
		for event, err := range watch.Events(ctx) {
			if err != nil {
				line += err.Error()
				break
			}
			if line += string(event.Kind) + " "; event.Kind == haltgate.Raised {
				line += event.Item.EscalationID
				break
			}
		}
		told <- line
	}()
	for opened.Load() < 3 && ctx.Err() == nil {
		time.Sleep(20 * time.Millisecond)
	}
	id := ask(t, gate.connect(), "mend docs")
	if line := <-told; line != "SNAPSHOT_END RAISED "+id {
		t.Errorf("told %q, not %q", line, id)
	}
}

func TestAGateThatIsAskedTooOftenIsAskedAgainWhenItSays(t *testing.T) {
	gate := serve(t, `{ "limits": { "bound_local": true, "caller": { "requests_per_second": 2, "burst": 1 } } }`)
	client := gate.connect()
	for range 4 {
		_, err := client.ServerInfo(bounded(t))
		must(t, err)
	}
	decision, err := client.Session("s").DecideShell(bounded(t), "ls")
	must(t, err)
	if !decision.Approved() {
		t.Errorf("not approved: %+v", decision)
	}
}
