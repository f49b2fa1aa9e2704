package haltgate_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	haltgate "github.com/haltgate/haltgate/clients/go"
)

// ask leaves a question open, also with a gate that was just started again.
func ask(t *testing.T, client *haltgate.Client, command string) string {
	t.Helper()
	decision, err := patiently(func() (*haltgate.Decision, error) {
		return client.Session("s").DecideShell(bounded(t), command, haltgate.WithoutWaiting(), haltgate.WithRequestID(strings.ReplaceAll(command, " ", "-")))
	})
	must(t, err)
	if decision.Action != haltgate.Escalate {
		t.Fatalf("not escalated: %+v", decision)
	}
	return decision.EscalationID
}

func TestAWatchTellsEachEventOnceOverARestart(t *testing.T) {
	gate := serve(t, manual)
	ctx := bounded(t)
	client := gate.connect()
	first := ask(t, client, "mend one")
	watch := client.WatchEscalations()
	next, stop := iter.Pull2(watch.Events(ctx))
	defer stop()
	told := []string{}
	tell := func(until int) {
		t.Helper()
		for len(told) < until {
			event, err, ok := next()
			must(t, err)
			if !ok {
				t.Fatal("the feed ended")
			}
			if event.Cursor != watch.Cursor() {
				t.Errorf("the cursor %q is not the event's, %q", watch.Cursor(), event.Cursor)
			}
			line := string(event.Kind)
			if event.Item != nil {
				line += " " + event.Item.EscalationID
			}
			told = append(told, line)
		}
	}
	tell(2)
	gate.end(syscall.SIGTERM)
	gate.start()
	second := ask(t, client, "mend two")
	_, err := client.Approve(ctx, first)
	must(t, err)
	tell(4)
	gate.end(syscall.SIGKILL)
	gate.start()
	_, err = patiently(func() (*haltgate.Escalation, error) { return client.Reject(ctx, second) })
	must(t, err)
	tell(5)
	expected := []string{"RAISED " + first, "SNAPSHOT_END", "RAISED " + second, "ANSWERED " + first, "ANSWERED " + second}
	if !slices.Equal(told, expected) {
		t.Errorf("told %q\nnot  %q", told, expected)
	}
}

func TestAWatchGoesOnBehindACursor(t *testing.T) {
	gate := serve(t, manual)
	ctx := bounded(t)
	client := gate.connect()
	ask(t, client, "mend one")
	cursor := ""
	for event, err := range client.WatchEscalations().Events(ctx) {
		must(t, err)
		if event.Kind == haltgate.SnapshotEnd {
			cursor = event.Cursor
			break
		}
	}
	second := ask(t, client, "mend two")
	for event, err := range client.WatchEscalations(haltgate.After(cursor)).Events(ctx) {
		must(t, err)
		if event.Kind != haltgate.Raised || event.Item.EscalationID != second {
			t.Errorf("not behind the cursor: %+v", event)
		}
		break
	}
	for event, err := range client.WatchEscalations(haltgate.After("made-up")).Events(ctx) {
		must(t, err)
		if event.Kind != haltgate.Restarted {
			t.Errorf("a made-up cursor is taken: %+v", event)
		}
		break
	}
	errs := []error{}
	for _, err := range client.WatchEscalations(haltgate.InSession("has a space")).Events(ctx) {
		errs = append(errs, err)
	}
	if len(errs) != 1 || !errors.As(errs[0], new(*haltgate.InvalidRequestError)) {
		t.Errorf("a refusal does not end the feed: %v", errs)
	}
}

func TestAWatchEndsCleanlyWithItsContextAndItsClient(t *testing.T) {
	gate := serve(t, manual)
	client, err := haltgate.Connect(gate.address)
	must(t, err)
	ctx, cancel := context.WithCancel(bounded(t))
	for _, end := range []func(){cancel, func() { must(t, client.Close()) }} {
		watching := ctx
		if ctx.Err() != nil {
			watching = bounded(t)
		}
		told := 0
		for event, err := range client.WatchEscalations().Events(watching) {
			must(t, err)
			if event.Kind != haltgate.SnapshotEnd {
				t.Errorf("told of %+v", event)
			}
			told++
			end()
		}
		if told != 1 {
			t.Errorf("told %d events", told)
		}
	}
}

func TestAWatchMakesASilentConnectionAnew(t *testing.T) {
	gate := serve(t, manual)
	ctx := bounded(t)
	client := gate.connect()
	// Far shorter than the server's heartbeat: the connection is made anew again and again.
	watch := client.WatchEscalations(haltgate.WithSilence(100 * time.Millisecond))
	next, stop := iter.Pull2(watch.Events(ctx))
	defer stop()
	for number := range 5 {
		id := ask(t, client, fmt.Sprintf("mend %d", number))
		if raised := asked(t, next); raised.EscalationID != id {
			t.Errorf("told %s where %s was raised", raised.EscalationID, id)
		}
		time.Sleep(150 * time.Millisecond)
	}
}
