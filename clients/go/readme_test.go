package haltgate_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// run runs a program of this module in front of a gate.
func run(t *testing.T, gate *server, program string) string {
	t.Helper()
	command := exec.CommandContext(bounded(t), "go", "run", program)
	command.Env = append(os.Environ(), "HALTGATE_TARGET="+gate.address)
	output, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, output)
	}
	return string(output)
}

func TestTheFirstExampleOfTheReadmeRuns(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	must(t, err)
	first := regexp.MustCompile("(?s)```go\n(.*?)\n```").FindSubmatch(readme)
	if first == nil || bytes.Count(first[1], []byte("\n")) != 5 {
		t.Fatalf("the README does not begin with six lines: %s", first)
	}
	program := filepath.Join(t.TempDir(), "main.go")
	must(t, os.WriteFile(program, []byte(`package main

import (
	"context"
	"fmt"
	"log"

	haltgate "github.com/haltgate/haltgate/clients/go"
)

func main() {
`+string(first[1])+`
}
`), 0o600))
	if said := run(t, serve(t, `{}`), program); said != "true <nil>\n" {
		t.Errorf("said %q", said)
	}
}

func TestTheExampleAgentRunsOnlyWhatIsApproved(t *testing.T) {
	source, err := os.ReadFile("examples/agent/main.go")
	must(t, err)
	if lines := bytes.Count(source, []byte("\n")); lines > 60 {
		t.Errorf("the example has %d lines", lines)
	}
	said := run(t, serve(t, `{}`), "./examples/agent")
	for _, expected := range []string{
		`got "hello\n (<nil>)"`, "would send a credential to another machine", `got "done\n (<nil>)"`,
	} {
		if !strings.Contains(said, expected) {
			t.Errorf("%q is not in %s", expected, said)
		}
	}
}
