package haltgate_test

import (
	"context"
	"errors"
	"net"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/durationpb"

	haltgate "github.com/haltgate/haltgate/clients/go"
	pb "github.com/haltgate/haltgate/clients/go/haltgate/v1"
)

// refuse starts a server that answers every request with a status, and counts them.
func refuse(t *testing.T, refusal error) (address string, count *atomic.Int32) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	count = &atomic.Int32{}
	server := grpc.NewServer(grpc.UnknownServiceHandler(func(any, grpc.ServerStream) error {
		count.Add(1)
		return refusal
	}))
	go func() {
		if err := server.Serve(listener); err != nil && !errors.Is(err, grpc.ErrServerStopped) {
			t.Error(err)
		}
	}()
	t.Cleanup(server.Stop)
	return listener.Addr().String(), count
}

func TestOnlyWhatIsSafeIsSentAgainAndOnlyWhileThatMayHelp(t *testing.T) {
	later, err := status.New(codes.Unavailable, "draining").WithDetails(
		&errdetails.ErrorInfo{Reason: "DRAINING", Domain: haltgate.ErrorDomain},
		&errdetails.RetryInfo{RetryDelay: durationpb.New(time.Hour)})
	must(t, err)
	full := func(reason haltgate.Reason, domain string, wait time.Duration) error {
		state, err := status.New(codes.ResourceExhausted, "full").WithDetails(
			&errdetails.ErrorInfo{Reason: string(reason), Domain: domain},
			&errdetails.RetryInfo{RetryDelay: durationpb.New(wait)})
		must(t, err)
		return state.Err()
	}
	overloaded := full(haltgate.ReasonOverloaded, haltgate.ErrorDomain, time.Millisecond)
	read := func(ctx context.Context, client *haltgate.Client) error {
		_, err := client.ServerInfo(ctx)
		return err
	}
	open := func(ctx context.Context, client *haltgate.Client) error {
		_, err := client.OpenSession(ctx)
		return err
	}
	cases := []struct {
		name    string
		refusal error
		ask     func(context.Context, *haltgate.Client) error
		sent    int32
	}{
		{"reading", status.Error(codes.Unavailable, "gone"), read, 4},
		{"deciding", status.Error(codes.Unavailable, "gone"), func(ctx context.Context, client *haltgate.Client) error {
			_, err := client.Session("s").DecideShell(ctx, "ls", haltgate.WithoutWaiting())
			return err
		}, 4},
		{"answering", status.Error(codes.Unavailable, "gone"), func(ctx context.Context, client *haltgate.Client) error {
			_, err := client.Approve(ctx, "e")
			return err
		}, 4},
		{"granting", status.Error(codes.Unavailable, "gone"), func(ctx context.Context, client *haltgate.Client) error {
			_, err := client.Grants().Export(ctx)
			return err
		}, 4},
		{"opening a session", status.Error(codes.Unavailable, "gone"), open, 1},
		{"a gate that asks to be left alone longer than there is time", later.Err(), read, 1},
		{"a gate that has too much to do, and says when to come back", overloaded, read, 4},
		{"opening a session while the gate has too much to do", overloaded, open, 1},
		{"a gate that has too much to do for longer than there is time",
			full(haltgate.ReasonOverloaded, haltgate.ErrorDomain, time.Hour), read, 1},
		{"too many open questions", full(haltgate.ReasonTooManyOpen, haltgate.ErrorDomain, time.Millisecond), read, 1},
		{"a limit of somebody else's", full(haltgate.ReasonOverloaded, "proxy.example", time.Millisecond), read, 1},
		{"a limit that does not say when", status.Error(codes.ResourceExhausted, "full"), read, 1},
		{"no credentials", status.Error(codes.Unauthenticated, "who?"), read, 1},
		{"no permission", status.Error(codes.PermissionDenied, "no"), read, 1},
		{"a fault of the server", status.Error(codes.Internal, "oops"), read, 1},
	}
	for _, example := range cases {
		address, count := refuse(t, example.refusal)
		err := example.ask(bounded(t), connect(t, address))
		if !errors.Is(err, haltgate.ErrNotApproved) || !errors.Is(err, status.FromProto(status.Convert(example.refusal).Proto()).Err()) {
			t.Errorf("%s: %v", example.name, err)
		}
		if sent := count.Load(); sent != example.sent {
			t.Errorf("%s was sent %d times", example.name, sent)
		}
	}
}

func TestAnAnswerThatIsNoneIsNotApproved(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	server := grpc.NewServer()
	pb.RegisterApprovalGateServer(server, careless{})
	go func() {
		if err := server.Serve(listener); err != nil && !errors.Is(err, grpc.ErrServerStopped) {
			t.Error(err)
		}
	}()
	t.Cleanup(server.Stop)
	client := connect(t, listener.Addr().String())
	for _, options := range [][]haltgate.DecideOption{nil, {haltgate.WithoutWaiting()}, {haltgate.WithDryRun()}} {
		decision, err := client.Session("s").DecideShell(bounded(t), "ls", options...)
		if decision.Approved() || !errors.As(err, new(*haltgate.UnexpectedAnswerError)) {
			t.Errorf("%v, %v", decision, err)
		}
	}
	if _, err := client.Grants().Export(bounded(t)); !errors.As(err, new(*haltgate.UnexpectedAnswerError)) {
		t.Error(err)
	}
}

// careless answers every request with a later contract's action, or with nothing.
type careless struct {
	pb.UnimplementedApprovalGateServer
}

func (careless) Decide(_ context.Context, request *pb.DecideRequest) (*pb.DecideResponse, error) {
	return &pb.DecideResponse{
		Action: 99, Stage: pb.Stage_STAGE_RATER, Scope: pb.Scope_SCOPE_ONCE, Rung: pb.Rung_RUNG_AUTO, DecisionId: "d",
		RequestId: request.GetRequestId(), SessionId: request.GetSessionId(),
	}, nil
}

func (careless) ManageGrants(context.Context, *pb.ManageGrantsRequest) (*pb.ManageGrantsResponse, error) {
	return &pb.ManageGrantsResponse{}, nil
}
