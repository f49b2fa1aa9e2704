package haltgate

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/durationpb"

	pb "github.com/haltgate/haltgate/clients/go/haltgate/v1"
)

func request() *pb.DecideRequest {
	return &pb.DecideRequest{SessionId: "s", RunId: "r", RequestId: "q"}
}

func approval() *pb.DecideResponse {
	return &pb.DecideResponse{
		Action: pb.Action_ACTION_APPROVE, Stage: pb.Stage_STAGE_ALLOW_LIST, Scope: pb.Scope_SCOPE_SESSION,
		Rung: pb.Rung_RUNG_ASSISTED, DecisionId: "d", RequestId: "q", SessionId: "s", RunId: "r",
	}
}

func TestOnlyACompleteAndKnownAnswerToThisVeryRequestIsApproved(t *testing.T) {
	decision, err := settle(request(), approval())
	if err != nil || !decision.Approved() {
		t.Fatalf("not approved: %v", err)
	}
	wrong := map[string]func(*pb.DecideResponse){
		"action 0":         func(answer *pb.DecideResponse) { answer.Action = 0 },
		"action 77":        func(answer *pb.DecideResponse) { answer.Action = 77 },
		"stage 0":          func(answer *pb.DecideResponse) { answer.Stage = 0 },
		"stage 77":         func(answer *pb.DecideResponse) { answer.Stage = 77 },
		"scope 0":          func(answer *pb.DecideResponse) { answer.Scope = 0 },
		"scope 77":         func(answer *pb.DecideResponse) { answer.Scope = 77 },
		"rung 0":           func(answer *pb.DecideResponse) { answer.Rung = 0 },
		"rung -1":          func(answer *pb.DecideResponse) { answer.Rung = -1 },
		"no request":       func(answer *pb.DecideResponse) { answer.RequestId = "" },
		"another request":  func(answer *pb.DecideResponse) { answer.RequestId = "Q" },
		"another session":  func(answer *pb.DecideResponse) { answer.SessionId = "t" },
		"another run":      func(answer *pb.DecideResponse) { answer.RunId = "" },
		"no decision":      func(answer *pb.DecideResponse) { answer.DecisionId = "" },
		"waits for nobody": func(answer *pb.DecideResponse) { answer.Action, answer.Scope = pb.Action_ACTION_ESCALATE, 0 },
		"nothing at all":   func(answer *pb.DecideResponse) { proto.Reset(answer) },
	}
	for name, spoil := range wrong {
		answer := approval()
		spoil(answer)
		decision, err := settle(request(), answer)
		var unexpected *UnexpectedAnswerError
		if decision.Approved() || !errors.As(err, &unexpected) || !errors.Is(err, ErrNotApproved) {
			t.Errorf("%s: %v, %v", name, decision, err)
		}
	}
}

func TestEveryReasonOfTheContractHasItsName(t *testing.T) {
	source, err := os.ReadFile("reason.go")
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range pb.ErrorReason_value {
		text := strings.TrimPrefix(name, "ERROR_REASON_")
		if value != 0 && !strings.Contains(string(source), fmt.Sprintf("Reason = %q\n", text)) {
			t.Errorf("%s has no name", text)
		}
	}
}

func TestARunThatIsHaltedEndsWhateverWasSettledBefore(t *testing.T) {
	for _, action := range []pb.Action{pb.Action_ACTION_APPROVE, pb.Action_ACTION_REJECT, pb.Action_ACTION_HALT} {
		answer := approval()
		answer.Action, answer.RunHalted = action, true
		decision, err := settle(request(), answer)
		if decision.Approved() || !errors.As(err, new(*AttackHaltedError)) {
			t.Errorf("%s: %v, %v", action, decision, err)
		}
	}
}

func TestWhatAModelWroteStaysOnTheLineOfALog(t *testing.T) {
	if said := oneLine("a\nb\x1b[31m\u009bc\u202ed\u2028e"); said != "a b [31m c d e" {
		t.Errorf("%q", said)
	}
}

func TestARatingThatIsNotKnownIsDestructive(t *testing.T) {
	for _, outcome := range []pb.Outcome{0, 77} {
		if read := ratingOf(&pb.Rating{Outcome: outcome}); read.Outcome != OutcomeDestructive {
			t.Errorf("%d is %s", outcome, read.Outcome)
		}
	}
}

func TestEveryStatusIsAnErrorOfItsOwnAndNotApproved(t *testing.T) {
	with := func(code codes.Code, reason string) error {
		state, err := status.New(code, "said").WithDetails(
			&errdetails.ErrorInfo{Reason: reason, Domain: ErrorDomain, Metadata: map[string]string{"key": "value"}},
			&errdetails.RetryInfo{RetryDelay: durationpb.New(3 * time.Second)})
		if err != nil {
			t.Fatal(err)
		}
		return state.Err()
	}
	for code := codes.Canceled; code <= codes.Unauthenticated; code++ {
		for _, reason := range []Reason{"", "SOME"} {
			err := status.Error(code, "said")
			if reason != "" {
				err = with(code, string(reason))
			}
			typed := failure(context.Background(), err)
			var gone *GateUnavailableError
			var refused *RefusedError
			var wrong *InvalidRequestError
			if !errors.Is(typed, ErrNotApproved) || !errors.Is(typed, err) {
				t.Errorf("%s: %v", code, typed)
			}
			switch code {
			case codes.Canceled, codes.DeadlineExceeded, codes.Unavailable, codes.Aborted:
				if !errors.As(typed, &gone) || gone.Reason != reason || (gone.RetryAfter != 0) != (reason != "") {
					t.Errorf("%s %q: %#v", code, reason, typed)
				}
			case codes.InvalidArgument:
				if !errors.As(typed, &wrong) || wrong.Reason != reason {
					t.Errorf("%s %q: %#v", code, reason, typed)
				}
			case codes.Unknown, codes.Internal, codes.DataLoss:
				if reason == "" && !errors.As(typed, &gone) || reason != "" && !errors.As(typed, &refused) {
					t.Errorf("%s %q: %#v", code, reason, typed)
				}
			default:
				if !errors.As(typed, &refused) || refused.Code != code || refused.Reason != reason ||
					reason != "" && (refused.Metadata["key"] != "value" || refused.RetryAfter != 3*time.Second) {
					t.Errorf("%s %q: %#v", code, reason, typed)
				}
			}
		}
	}
}

func TestPausesHaveABoundThatDoublesAndAreNotShorterThanTheGateAsksFor(t *testing.T) {
	for attempt, most := range map[int]time.Duration{1: 50, 2: 100, 3: 200, 5: 800, 6: 1000, 1 << 30: 1000} {
		for range 100 {
			if pause := pauseAfter(attempt, errors.New("gone")); pause < 0 || pause > most*time.Millisecond {
				t.Errorf("a pause of %s after attempt %d", pause, attempt)
			}
		}
	}
	state, err := status.New(codes.Unavailable, "later").WithDetails(
		&errdetails.RetryInfo{RetryDelay: durationpb.New(3 * time.Second)})
	if err != nil {
		t.Fatal(err)
	}
	if pause := pauseAfter(1, state.Err()); pause != 3*time.Second {
		t.Errorf("a pause of %s where 3 s were asked for", pause)
	}
}

func TestAFeedThatCannotBeResumedBeginsAnewAndSaysSo(t *testing.T) {
	tooOld, err := status.New(codes.OutOfRange, "too old").WithDetails(
		&errdetails.ErrorInfo{Reason: "CURSOR_TOO_OLD", Domain: ErrorDomain})
	if err != nil {
		t.Fatal(err)
	}
	read := func(messages ...any) feed[Escalation] {
		return func() (message[Escalation], error) {
			next := messages[0]
			messages = messages[1:]
			if err, failed := next.(error); failed {
				return message[Escalation]{}, err
			}
			return next.(message[Escalation]), nil
		}
	}
	one := message[Escalation]{kind: Raised, item: &Escalation{EscalationID: "1"}}
	end := message[Escalation]{kind: SnapshotEnd, cursor: "c"}
	hint := message[Escalation]{resume: true, cursor: "d"}
	feeds := []feed[Escalation]{
		// Cut off in its snapshot, and then by a hint.
		read(one, status.Error(codes.Unavailable, "gone")), read(one, end, hint), read(tooOld.Err()), read(one, end),
	}
	after := []string{}
	watch := &Watch[Escalation]{silence: time.Minute, closed: func() bool { return false }}
	none := ""
	watch.cursor.Store(&none)
	watch.open = func(_ context.Context, cursor string) (feed[Escalation], error) {
		after = append(after, cursor)
		next := feeds[0]
		feeds = feeds[1:]
		return next, nil
	}
	told := ""
	for event, err := range watch.Events(context.Background()) {
		if err != nil {
			t.Fatal(err)
		}
		told += string(event.Kind) + " "
		if len(feeds) == 0 && event.Kind == SnapshotEnd {
			break
		}
	}
	if told != "RAISED RESTARTED RAISED SNAPSHOT_END RESTARTED RAISED SNAPSHOT_END " {
		t.Errorf("told %s", told)
	}
	if len(after) != 4 || after[0] != "" || after[1] != "" || after[2] != "d" || after[3] != "" {
		t.Errorf("opened after %q", after)
	}
}

func TestATargetIsAHostWithAPortOrASocket(t *testing.T) {
	t.Setenv(TargetVariable, "")
	cases := map[string]target{
		"":                       {address: "127.0.0.1:7557", local: true},
		"gate.example:80":        {address: "gate.example:80"},
		"localhost:1":            {address: "localhost:1", local: true},
		"[::1]:7557":             {address: "[::1]:7557", local: true},
		"192.0.2.1:7557":         {address: "192.0.2.1:7557"},
		"http://127.0.0.9:80/":   {address: "127.0.0.9:80", local: true, plain: true},
		"https://gate.example":   {address: "gate.example:443", tls: true},
		"https://gate.example:8": {address: "gate.example:8", tls: true},
		"unix:/run/gate.sock":    {address: "unix:/run/gate.sock", local: true, plain: true, unix: true},
		"unix:///run/gate.sock":  {address: "unix:/run/gate.sock", local: true, plain: true, unix: true},
	}
	for text, expected := range cases {
		if read, err := parseTarget(text); err != nil || read != expected {
			t.Errorf("%q is %+v, %v", text, read, err)
		}
	}
	for _, text := range []string{
		"unix:", "127.0.0.1", "http://gate.example", "ftp://gate.example:1", "gate.example:80/path", "a b:80",
		"user@gate.example:80", "gate.example:99999", "gate.example:", ":80", "gate.example:80?query",
	} {
		if read, err := parseTarget(text); err == nil {
			t.Errorf("%q is %+v", text, read)
		}
	}
	t.Setenv(TargetVariable, "gate.example:80")
	if read, err := parseTarget(""); err != nil || read.address != "gate.example:80" {
		t.Errorf("the environment is not read: %+v, %v", read, err)
	}
}

func TestATokenDoesNotTravelUnencryptedToAnotherMachine(t *testing.T) {
	cases := []struct {
		target  string
		options []Option
		fine    bool
	}{
		{"192.0.2.1:7557", nil, false},
		{"gate.example:7557", nil, false},
		{"http://gate.example:7557", nil, false},
		{"gate.example:7557", []Option{WithInsecureToken()}, true},
		{"gate.example:7557", []Option{WithTLS()}, true},
		{"https://gate.example", nil, true},
		{"127.0.0.1:7557", nil, true},
		{"localhost:7557", nil, true},
		{"unix:/run/gate.sock", nil, true},
	}
	for _, example := range cases {
		client, err := Connect(example.target, append(example.options, WithToken("secret"))...)
		if (err == nil) != example.fine {
			t.Errorf("%s: %v", example.target, err)
		}
		if client != nil {
			if err := client.Close(); err != nil {
				t.Error(err)
			}
		}
	}
	if _, err := Connect("http://127.0.0.1:1", WithTLS()); err == nil {
		t.Error("TLS was asked for, and is not used")
	}
}
