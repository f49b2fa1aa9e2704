package haltgate_test

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"syscall"
	"testing"
	"time"

	haltgate "github.com/haltgate/haltgate/clients/go"
)

// ask leaves a question open.
func ask(t *testing.T, client *haltgate.Client, command string) string {
	t.Helper()
	decision, err := client.Session("s").DecideShell(bounded(t), command, haltgate.WithoutWaiting())
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
	_, err = client.Reject(ctx, second)
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
	for _, err := range client.WatchEscalations(haltgate.After("made-up")).Events(ctx) {
		var invalid *haltgate.InvalidRequestError
		if !errors.As(err, &invalid) || invalid.Reason != "CURSOR_INVALID" {
			t.Errorf("a made-up cursor is taken: %v", err)
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
