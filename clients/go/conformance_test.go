package haltgate_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	haltgate "github.com/haltgate/haltgate/clients/go"
)

// object is a JSON object.
type object = map[string]any

// scenario is one file of tests/conformance; its README says what each part means.
type scenario struct {
	Name   string
	Gate   json.RawMessage
	Client struct {
		DeadlineMS     int64  `json:"deadline_ms"`
		ReconnectForMS int64  `json:"reconnect_for_ms"`
		Project        string `json:"project"`
	}
	Rater bool
	Steps []struct {
		Do         string
		With       object
		Expect     any
		Save       map[string]string
		Background string
		Times      int
	}
}

func TestConformance(t *testing.T) {
	files, err := filepath.Glob("../../tests/conformance/*.json")
	must(t, err)
	found := 0
	for _, file := range files {
		if filepath.Base(file) == "schema.json" {
			continue
		}
		found++
		text, err := os.ReadFile(file)
		must(t, err)
		var read scenario
		must(t, json.Unmarshal(text, &read))
		t.Run(strings.TrimSuffix(filepath.Base(file), ".json"), read.play)
	}
	if found == 0 {
		t.Error("there are no scenarios")
	}
}

// player plays one scenario.
type player struct {
	t          *testing.T
	server     *server
	client     *haltgate.Client
	rater      *silentRater
	saved      map[string]any
	background map[string]<-chan result
	feeds      map[string]*openFeed
}

func (read scenario) play(t *testing.T) {
	t.Log(read.Name)
	playing := &player{
		t: t, saved: map[string]any{}, background: map[string]<-chan result{}, feeds: map[string]*openFeed{},
	}
	gate := string(read.Gate)
	if read.Rater {
		playing.rater = startSilentRater(t)
		gate = strings.ReplaceAll(gate, `"$rater"`, strconv.Quote("http://"+playing.rater.listener.Addr().String()))
	}
	playing.server = serve(t, gate)
	options := []haltgate.Option{haltgate.WithProject(read.Client.Project)}
	if read.Client.DeadlineMS > 0 {
		options = append(options, haltgate.WithDeadline(time.Duration(read.Client.DeadlineMS)*time.Millisecond))
	}
	if read.Client.ReconnectForMS > 0 {
		options = append(options, haltgate.WithReconnectFor(time.Duration(read.Client.ReconnectForMS)*time.Millisecond))
	}
	playing.client = playing.server.connect(options...)
	for number, step := range read.Steps {
		for range max(step.Times, 1) {
			with, _ := playing.resolve(step.With).(object)
			expect := playing.resolve(step.Expect)
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			if step.Background != "" {
				t.Cleanup(cancel)
				playing.background[step.Background] = inBackground(func() (*haltgate.Decision, error) {
					return playing.decide(ctx, arguments(with))
				})
				continue
			}
			got := playing.do(ctx, step.Do, arguments(with), expect)
			cancel()
			if fields, failed := got.(object); failed && fields["error"] != nil {
				if wanted, _ := expect.(object); wanted["error"] == nil {
					t.Fatalf("step %d, %s: %v", number, step.Do, got)
				}
			}
			if problem := differs(expect, got); expect != nil && problem != "" {
				t.Fatalf("step %d, %s: %s\nexpected %v\ngot      %v", number, step.Do, problem, expect, got)
			}
			for name, path := range step.Save {
				part := got
				for _, key := range strings.Split(path, ".") {
					part = at(part, key)
				}
				if part == nil {
					t.Fatalf("step %d, %s: there is no %s in %v", number, step.Do, path, got)
				}
				playing.saved[name] = part
			}
		}
	}
}

func at(value any, key string) any {
	switch value := value.(type) {
	case object:
		return value[key]
	case []any:
		if index, err := strconv.Atoi(key); err == nil && index < len(value) {
			return value[index]
		}
	}
	return nil
}

// resolve puts in what was saved.
func (playing *player) resolve(value any) any {
	switch value := value.(type) {
	case string:
		if name, marked := strings.CutPrefix(value, "$"); marked {
			if saved, known := playing.saved[name]; known {
				return saved
			}
		}
	case object:
		resolved := object{}
		for key, item := range value {
			resolved[key] = playing.resolve(item)
		}
		return resolved
	case []any:
		resolved := make([]any, 0, len(value))
		for _, item := range value {
			resolved = append(resolved, playing.resolve(item))
		}
		return resolved
	}
	return value
}

func absent(value any) bool { return value == nil || value == "" }

// differs says where a result does not match. Empty: it does.
func differs(expect, got any) string {
	switch expect := expect.(type) {
	case nil:
		if !absent(got) {
			return fmt.Sprintf("%v is not absent", got)
		}
		return ""
	case object:
		if wanted, special := expect["$contains"]; special && len(expect) == 1 {
			switch got := got.(type) {
			case string:
				if text, ok := wanted.(string); ok && strings.Contains(got, text) {
					return ""
				}
			case []any:
				if slices.ContainsFunc(got, func(item any) bool { return differs(wanted, item) == "" }) {
					return ""
				}
			}
			return fmt.Sprintf("%v does not contain %v", got, wanted)
		}
		fields, ok := got.(object)
		if !ok {
			return fmt.Sprintf("%v is no object", got)
		}
		for key, wanted := range expect {
			if problem := differs(wanted, fields[key]); problem != "" {
				return key + ": " + problem
			}
		}
		return ""
	case []any:
		items, ok := got.([]any)
		if !ok || len(items) != len(expect) {
			return fmt.Sprintf("%v is no list of %d items", got, len(expect))
		}
		for index, wanted := range expect {
			if problem := differs(wanted, items[index]); problem != "" {
				return fmt.Sprintf("%d: %s", index, problem)
			}
		}
		return ""
	case string:
		if expect == "$present" {
			if absent(got) {
				return "is absent"
			}
			return ""
		}
	}
	if expect != got {
		return fmt.Sprintf("%v is not %v", got, expect)
	}
	return ""
}

// plain is a value as JSON has it, so that it can be compared with a scenario.
func plain(value any) any {
	text, err := json.Marshal(value)
	if err != nil {
		return err.Error()
	}
	var read any
	if err := json.Unmarshal(text, &read); err != nil {
		return err.Error()
	}
	return read
}

// openFeed is a feed that is read when the scenario asks for its events.
type openFeed struct {
	next   func() (object, bool)
	stop   func()
	cursor func() string
}

func open[Item any](watch *haltgate.Watch[Item], show func(*Item) object) *openFeed {
	ctx, cancel := context.WithCancel(context.Background())
	next, stop := iter.Pull2(watch.Events(ctx))
	return &openFeed{
		cursor: watch.Cursor,
		stop: func() {
			cancel()
			stop()
		},
		next: func() (object, bool) {
			guard := time.AfterFunc(patience, cancel)
			defer guard.Stop()
			event, err, ok := next()
			if err != nil {
				shown := showError(err)
				shown["event"] = "error"
				return shown, ok
			}
			shown := object{}
			if event.Item != nil {
				shown = show(event.Item)
			}
			shown["event"] = strings.ToLower(string(event.Kind))
			if event.Kind == haltgate.SnapshotEnd {
				shown["open"] = event.Open
			}
			return shown, ok
		},
	}
}

// silentRater accepts connections and never answers.
type silentRater struct {
	listener    net.Listener
	lock        sync.Mutex
	connections []net.Conn
	asked       chan struct{}
	once        sync.Once
}

func startSilentRater(t *testing.T) *silentRater {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	rater := &silentRater{listener: listener, asked: make(chan struct{})}
	go func() {
		for {
			connection, err := listener.Accept()
			if err != nil {
				return
			}
			rater.lock.Lock()
			rater.connections = append(rater.connections, connection)
			rater.lock.Unlock()
			rater.once.Do(func() { close(rater.asked) })
		}
	}()
	t.Cleanup(rater.hangUp)
	return rater
}

func (rater *silentRater) hangUp() {
	_ = rater.listener.Close()
	rater.lock.Lock()
	defer rater.lock.Unlock()
	for _, connection := range rater.connections {
		_ = connection.Close()
	}
}

// do takes one step.
func (playing *player) do(ctx context.Context, operation string, with arguments, expect any) any {
	playing.t.Helper()
	switch operation {
	case "server":
		switch with.text("action") {
		case "kill":
			playing.server.end(syscall.SIGKILL)
		case "stop":
			playing.server.end(syscall.SIGTERM)
		case "start":
			playing.server.start()
		default:
			playing.t.Fatalf("a server cannot %s", with.text("action"))
		}
		return nil
	case "rater":
		switch with.text("action") {
		case "asked":
			select {
			case <-playing.rater.asked:
			case <-ctx.Done():
				playing.t.Fatal("nobody asked the rater")
			}
		case "hang_up":
			playing.rater.hangUp()
		default:
			playing.t.Fatalf("a rater cannot %s", with.text("action"))
		}
		return nil
	case "watch":
		feed := playing.watch(with)
		playing.t.Cleanup(feed.stop)
		playing.feeds[with.text("feed")] = feed
		return nil
	case "events":
		events := []any{}
		wanted, _ := expect.([]any)
		for range wanted {
			event, ok := playing.feeds[with.text("feed")].next()
			if !ok {
				playing.t.Fatalf("the feed ended after %v", events)
			}
			events = append(events, plain(event))
		}
		return events
	case "unwatch":
		feed := playing.feeds[with.text("feed")]
		feed.stop()
		return object{"cursor": feed.cursor()}
	case "join":
		settled := <-playing.background[with.text("background")]
		return showDecided(settled.decision, settled.err)
	case "decide":
		return showDecided(playing.decide(ctx, with))
	}
	shown, err := playing.ask(ctx, operation, with)
	if err != nil {
		return plain(showError(err))
	}
	return plain(shown)
}

func (playing *player) watch(with arguments) *openFeed {
	options := []haltgate.WatchOption{
		haltgate.InSession(with.text("session")), haltgate.InRun(with.text("run_id")), haltgate.After(with.text("after")),
	}
	if with["observe_only"] == true {
		options = append(options, haltgate.ObserveOnly())
	}
	switch with.text("kind") {
	case "escalations":
		return open(playing.client.WatchEscalations(options...), showEscalation)
	case "halts":
		return open(playing.client.WatchHalts(options...), showHalt)
	}
	playing.t.Fatalf("there is no feed of %s", with.text("kind"))
	return nil
}

func showDecided(decision *haltgate.Decision, err error) any {
	if err != nil {
		return plain(showError(err))
	}
	return plain(showDecision(decision))
}

func showError(err error) object {
	shown := object{"approved": false, "text": err.Error()}
	var halted *haltgate.AttackHaltedError
	var unattended *haltgate.UnattendedError
	var gone *haltgate.GateUnavailableError
	var unexpected *haltgate.UnexpectedAnswerError
	var invalid *haltgate.InvalidRequestError
	var refused *haltgate.RefusedError
	switch {
	case errors.As(err, &halted):
		shown = showDecision(halted.Decision)
		shown["error"] = "attack_halted"
	case errors.As(err, &unattended):
		shown = showDecision(unattended.Decision)
		shown["error"] = "unattended"
	case errors.As(err, &gone):
		shown["error"] = "gate_unavailable"
	case errors.As(err, &unexpected):
		shown["error"] = "unexpected_answer"
	case errors.As(err, &invalid):
		fields := []string{}
		for _, violation := range invalid.Violations {
			fields = append(fields, violation.Field)
		}
		shown["error"], shown["reason"], shown["metadata"] = "invalid_request", invalid.Reason, invalid.Metadata
		shown["fields"] = fields
	case errors.As(err, &refused):
		shown["error"], shown["reason"], shown["domain"] = "refused", refused.Reason, refused.Domain
		shown["metadata"], shown["retry_info"] = refused.Metadata, refused.RetryAfter > 0
	}
	return shown
}
