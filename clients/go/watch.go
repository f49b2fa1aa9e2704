package haltgate

import (
	"context"
	"errors"
	"iter"
	"sync"
	"sync/atomic"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"

	pb "github.com/haltgate/haltgate/clients/go/haltgate/v1"
)

// DefaultSilence is how long a feed may be silent, heartbeats included, before its connection counts as broken.
const DefaultSilence = 45 * time.Second

// EventKind is what happened.
type EventKind string

// What can happen in a feed.
const (
	// Raised: it waits for an answer. Also each item that was open when the feed began.
	Raised EventKind = "RAISED"
	// Answered: a human settled it; its state says how.
	Answered EventKind = "ANSWERED"
	// Withdrawn: it needs no answer any more.
	Withdrawn EventKind = "WITHDRAWN"
	// Expired: nobody answered in time.
	Expired EventKind = "EXPIRED"
	// SnapshotEnd: everything that was open when the feed began has been told.
	SnapshotEnd EventKind = "SNAPSHOT_END"
	// Restarted: the feed begins anew, since the gate cannot tell what happened behind the cursor. Forget what was open:
	// what still is comes again.
	Restarted EventKind = "RESTARTED"
)

// Event is one event of a feed of Items.
type Event[Item any] struct {
	// Kind of event.
	Kind EventKind
	// Item that it happened to. Nil for [SnapshotEnd] and [Restarted].
	Item *Item
	// Open is how many items were told before a [SnapshotEnd].
	Open uint32
	// Cursor to resume behind this event with [After]. Empty until the snapshot has ended.
	Cursor string
}

type watchSettings struct {
	sessionID, runID, after string
	observeOnly             bool
	silence                 time.Duration
}

// WatchOption sets up a feed.
type WatchOption func(*watchSettings)

// After continues behind a cursor of the same feed with the same filters. Default: begin with everything that is open.
func After(cursor string) WatchOption {
	return func(settings *watchSettings) { settings.after = cursor }
}

// InSession narrows a feed to one session.
func InSession(id string) WatchOption {
	return func(settings *watchSettings) { settings.sessionID = id }
}

// InRun narrows a feed to one run.
func InRun(id string) WatchOption {
	return func(settings *watchSettings) { settings.runID = id }
}

// ObserveOnly says that nobody at this feed will answer, so that no halt waits for it. It is for [Client.WatchHalts].
func ObserveOnly() WatchOption {
	return func(settings *watchSettings) { settings.observeOnly = true }
}

// WithSilence sets how long a feed may be silent. It must be longer than the server's heartbeat, which is 15 seconds
// unless configured. Default: [DefaultSilence].
func WithSilence(limit time.Duration) WatchOption {
	return func(settings *watchSettings) { settings.silence = limit }
}

// Watch is a feed that reconnects by itself, and then misses nothing and repeats nothing.
type Watch[Item any] struct {
	open    func(ctx context.Context, after string) (feed[Item], error)
	closed  func() bool
	silence time.Duration
	cursor  atomic.Pointer[string]
	running sync.Mutex
}

// Cursor of the last message that was seen, to resume behind with [After]. Heartbeats move it on too.
func (watch *Watch[Item]) Cursor() string { return *watch.cursor.Load() }

// Events yields what happens, until the context ends, the client is closed or the loop ends: then without an error. While the gate is
// gone it is looked for, for as long as it takes. A cursor that the gate refuses begins the feed anew, which
// [Restarted] says. Any other refusal is yielded as an error and ends the feed.
//
// One loop at a time; the next one goes on behind the cursor.
func (watch *Watch[Item]) Events(ctx context.Context) iter.Seq2[Event[Item], error] {
	return func(yield func(Event[Item], error) bool) {
		watch.running.Lock()
		defer watch.running.Unlock()
		follower := follower[Item]{watch: watch, yield: yield}
		for ctx.Err() == nil {
			again, err := follower.follow(ctx)
			if err != nil && ctx.Err() == nil {
				yield(Event[Item]{}, err)
			}
			if !again {
				return
			}
		}
	}
}

// WatchEscalations is the live feed of decisions that wait for a human. It begins when its events are asked for.
func (client *Client) WatchEscalations(options ...WatchOption) *Watch[Escalation] {
	settings := watchSettingsOf(options)
	request := func(after string) *pb.StreamEscalationsRequest {
		return &pb.StreamEscalationsRequest{
			Project: client.project, SessionId: settings.sessionID, RunId: settings.runID, After: after,
		}
	}
	return newWatch(client, settings, request, client.stub.StreamEscalations, readEscalation)
}

// WatchHalts is the live feed of attack halts. It begins when its events are asked for. From then on, while somebody
// watches without [ObserveOnly] who may answer, a halt waits for the answer.
func (client *Client) WatchHalts(options ...WatchOption) *Watch[AttackHalt] {
	settings := watchSettingsOf(options)
	request := func(after string) *pb.StreamAttackHaltsRequest {
		return &pb.StreamAttackHaltsRequest{
			Project: client.project, SessionId: settings.sessionID, RunId: settings.runID, After: after,
			ObserveOnly: settings.observeOnly,
		}
	}
	return newWatch(client, settings, request, client.stub.StreamAttackHalts, readHalt)
}

func watchSettingsOf(options []WatchOption) watchSettings {
	settings := watchSettings{silence: DefaultSilence}
	for _, option := range options {
		option(&settings)
	}
	return settings
}

// message is one message of a feed, read.
type message[Item any] struct {
	cursor string
	kind   EventKind
	item   *Item
	open   uint32
	// resume is true for the last message of a feed that the server ends.
	resume bool
}

type feed[Item any] func() (message[Item], error)

func newWatch[Item, Request, Answer any](
	client *Client,
	settings watchSettings,
	request func(after string) *Request,
	stream func(context.Context, *Request, ...grpc.CallOption) (grpc.ServerStreamingClient[Answer], error),
	read func(*Answer) message[Item],
) *Watch[Item] {
	watch := &Watch[Item]{silence: settings.silence, closed: client.isClosed}
	watch.cursor.Store(&settings.after)
	watch.open = func(ctx context.Context, after string) (feed[Item], error) {
		answers, err := stream(ctx, request(after))
		if err != nil {
			return nil, err
		}
		return func() (message[Item], error) {
			answer, err := answers.Recv()
			if err != nil {
				return message[Item]{}, err
			}
			return read(answer), nil
		}, nil
	}
	return watch
}

func readEscalation(answer *pb.StreamEscalationsResponse) message[Escalation] {
	read := message[Escalation]{cursor: answer.GetCursor()}
	switch event := answer.GetEvent().(type) {
	case *pb.StreamEscalationsResponse_Raised:
		read.kind, read.item = Raised, escalationOf(event.Raised)
	case *pb.StreamEscalationsResponse_Answered:
		read.kind, read.item = Answered, escalationOf(event.Answered)
	case *pb.StreamEscalationsResponse_Withdrawn:
		read.kind, read.item = Withdrawn, escalationOf(event.Withdrawn)
	case *pb.StreamEscalationsResponse_Expired:
		read.kind, read.item = Expired, escalationOf(event.Expired)
	case *pb.StreamEscalationsResponse_SnapshotEnd:
		read.kind, read.open = SnapshotEnd, event.SnapshotEnd.GetOpen()
	case *pb.StreamEscalationsResponse_ResumeHint:
		read.resume = true
	case *pb.StreamEscalationsResponse_Heartbeat:
	}
	return read
}

func readHalt(answer *pb.StreamAttackHaltsResponse) message[AttackHalt] {
	read := message[AttackHalt]{cursor: answer.GetCursor()}
	switch event := answer.GetEvent().(type) {
	case *pb.StreamAttackHaltsResponse_Raised:
		read.kind, read.item = Raised, attackHaltOf(event.Raised)
	case *pb.StreamAttackHaltsResponse_Answered:
		read.kind, read.item = Answered, attackHaltOf(event.Answered)
	case *pb.StreamAttackHaltsResponse_Withdrawn:
		read.kind, read.item = Withdrawn, attackHaltOf(event.Withdrawn)
	case *pb.StreamAttackHaltsResponse_Expired:
		read.kind, read.item = Expired, attackHaltOf(event.Expired)
	case *pb.StreamAttackHaltsResponse_SnapshotEnd:
		read.kind, read.open = SnapshotEnd, event.SnapshotEnd.GetOpen()
	case *pb.StreamAttackHaltsResponse_ResumeHint:
		read.resume = true
	case *pb.StreamAttackHaltsResponse_Heartbeat:
	}
	return read
}

// follower is one loop over a feed, over as many connections as it takes.
type follower[Item any] struct {
	watch *Watch[Item]
	yield func(Event[Item], error) bool
	// failures in a row, without a message in between.
	failures int
	// told is true while events of a snapshot that has not ended were yielded.
	told bool
}

// follow reads one connection to its end. It returns whether to go on with another, and the error that ends the feed.
func (follower *follower[Item]) follow(ctx context.Context) (again bool, err error) {
	watch := follower.watch
	if follower.told && watch.Cursor() == "" && !follower.restart() {
		return false, nil
	}
	connection, cancel := context.WithCancel(ctx)
	defer cancel()
	// A silent connection is ended from here.
	alarm := time.AfterFunc(watch.silence, cancel)
	defer alarm.Stop()
	next, err := watch.open(connection, watch.Cursor())
	for err == nil {
		var read message[Item]
		if read, err = next(); err != nil {
			break
		}
		alarm.Stop()
		if read.cursor != "" {
			watch.cursor.Store(&read.cursor)
		}
		if read.resume {
			follower.failures++
			// The first time at once: the server has said that it is time to come back.
			return follower.failures == 1 || pause(ctx, pauseAfter(follower.failures, nil)), nil
		}
		follower.failures = 0
		if read.kind != "" {
			follower.told = true
			if !follower.yield(Event[Item]{Kind: read.kind, Item: read.item, Open: read.open, Cursor: watch.Cursor()}, nil) {
				return false, nil
			}
		}
		alarm.Reset(watch.silence)
	}
	if ctx.Err() != nil || watch.closed() {
		return false, nil
	}
	return follower.survive(ctx, failure(ctx, err), err)
}

// survive says whether a feed goes on after its connection ended.
func (follower *follower[Item]) survive(ctx context.Context, typed, err error) (again bool, ended error) {
	var refused *RefusedError
	var wrong *InvalidRequestError
	switch {
	case errors.As(typed, &refused):
		if refused.Reason == ReasonCursorTooOld && follower.watch.Cursor() != "" {
			return follower.restart(), nil
		}
		if refused.Code != codes.ResourceExhausted && refused.Code != codes.Internal {
			return false, typed
		}
	case errors.As(typed, &wrong):
		// A gate that forgot everything does not know its own cursors any more.
		if wrong.Reason == ReasonCursorInvalid && follower.watch.Cursor() != "" {
			return follower.restart(), nil
		}
		return false, typed
	}
	follower.failures++
	return pause(ctx, pauseAfter(follower.failures, err)), nil
}

// restart forgets the cursor, and tells the caller to forget what was open.
func (follower *follower[Item]) restart() bool {
	none := ""
	follower.watch.cursor.Store(&none)
	follower.told = false
	return follower.yield(Event[Item]{Kind: Restarted}, nil)
}
