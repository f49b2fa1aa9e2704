package haltgate_test

import (
	"context"
	"errors"
	"iter"
	"net"
	"syscall"
	"testing"
	"time"

	haltgate "github.com/haltgate/haltgate/clients/go"
)

const manual = `{ "approvals": "manual" }`

func TestAnAnswerIsPickedUpAfterTheServerWasKilledInTheMiddleOfTheWait(t *testing.T) {
	gate := serve(t, manual)
	ctx := bounded(t)
	client := gate.connect()
	session := client.Session("s")
	waiting := inBackground(func() (*haltgate.Decision, error) { return session.DecideShell(ctx, "mend docs") })
	next, stop := iter.Pull2(client.WatchEscalations().Events(ctx))
	defer stop()
	question := asked(t, next)

	gate.end(syscall.SIGKILL)
	gate.start()
	_, err := patiently(func() (*haltgate.Escalation, error) {
		return client.Approve(ctx, question.EscalationID, haltgate.WithComment("go on"))
	})
	must(t, err)

	settled := <-waiting
	must(t, settled.err)
	if !settled.decision.Approved() || settled.decision.Human.Comment != "go on" {
		t.Errorf("not what the human answered: %+v", settled.decision)
	}
	if settled.decision.DecisionID != question.DecisionID {
		t.Error("the call was decided twice")
	}
	decisions := map[string]bool{}
	for record, err := range client.ListDecisions(ctx, haltgate.DecisionFilter{SessionID: "s", PageSize: 1}) {
		must(t, err)
		decisions[record.DecisionID] = true
	}
	if len(decisions) != 1 {
		t.Errorf("%d decisions were made of one call", len(decisions))
	}
}

func TestADecisionWhoseGateIsGoneForGoodIsNotApproved(t *testing.T) {
	gate := serve(t, manual)
	ctx := bounded(t)
	client := gate.connect(haltgate.WithReconnectFor(300 * time.Millisecond))
	waiting := inBackground(func() (*haltgate.Decision, error) {
		return client.Session("s").DecideShell(ctx, "mend docs")
	})
	next, stop := iter.Pull2(client.WatchEscalations().Events(ctx))
	defer stop()
	asked(t, next)
	gate.end(syscall.SIGKILL)

	settled := <-waiting
	unavailable(t, settled.decision, settled.err)
	for _, options := range [][]haltgate.DecideOption{nil, {haltgate.WithoutWaiting()}, {haltgate.WithDryRun()}} {
		decision, err := client.Session("s").DecideShell(ctx, "ls", options...)
		unavailable(t, decision, err)
	}
}

func unavailable(t *testing.T, decision *haltgate.Decision, err error) {
	t.Helper()
	var gone *haltgate.GateUnavailableError
	if decision.Approved() || !errors.As(err, &gone) || !errors.Is(err, haltgate.ErrNotApproved) || gone.Unwrap() == nil {
		t.Errorf("not a gate that is unavailable, with its cause: %v, %v", decision, err)
	}
}

func TestADecisionThatIsOutOfTimeIsNotApproved(t *testing.T) {
	// Accepts, and never says a word.
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	defer func() { must(t, silent.Close()) }()
	session := connect(t, silent.Addr().String(), haltgate.WithDeadline(200*time.Millisecond)).Session("s")
	decision, err := session.DecideShell(bounded(t), "ls", haltgate.WithoutWaiting())
	unavailable(t, decision, err)

	gate := serve(t, manual)
	soon, cancel := context.WithTimeout(bounded(t), 300*time.Millisecond)
	defer cancel()
	decision, err = gate.connect().Session("s").DecideShell(soon, "mend docs")
	unavailable(t, decision, err)
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("the context's own error is not among the causes: %v", err)
	}
	cancelled, cancel := context.WithCancel(bounded(t))
	cancel()
	decision, err = gate.connect().Session("s").DecideShell(cancelled, "ls")
	unavailable(t, decision, err)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("the context's own error is not among the causes: %v", err)
	}
}

func TestAWaitThatEndsWithoutAnAnswerIsEscalatedAndGoesOnUnderTheSameRequest(t *testing.T) {
	gate := serve(t, manual)
	ctx := bounded(t)
	client := gate.connect()
	session := client.Session("s")
	under := haltgate.WithRequestID("turn-1")
	decision, err := session.DecideShell(ctx, "mend docs", under, haltgate.WithMaxWait(50*time.Millisecond))
	must(t, err)
	if decision.Action != haltgate.Escalate || decision.Approved() || decision.EscalationID == "" {
		t.Fatalf("not escalated: %+v", decision)
	}
	again, err := session.DecideShell(ctx, "mend docs", under, haltgate.WithoutWaiting())
	must(t, err)
	if again.Action != haltgate.Escalate || again.DecisionID != decision.DecisionID {
		t.Errorf("asked twice: %+v", again)
	}
	_, err = client.Reject(ctx, decision.EscalationID, haltgate.WithComment("not today"))
	must(t, err)
	last, err := session.DecideShell(ctx, "mend docs", under)
	must(t, err)
	if last.Action != haltgate.Reject || last.Approved() || last.Human.Verdict != haltgate.VerdictReject {
		t.Errorf("not rejected: %+v", last)
	}
}

func TestAnAttackHaltsTheRunAndEveryLaterCallOfIt(t *testing.T) {
	gate := serve(t, `{}`)
	ctx := bounded(t)
	session := gate.connect().Session("s")
	run := haltgate.WithRunID("r")
	for number, command := range []string{attack, "ls"} {
		decision, err := session.DecideShell(ctx, command, run)
		var halted *haltgate.AttackHaltedError
		if decision.Approved() || !errors.As(err, &halted) || !errors.Is(err, haltgate.ErrNotApproved) {
			t.Fatalf("not halted: %v, %v", decision, err)
		}
		if halted.Decision.Approved() || !halted.Decision.RunHalted || (halted.Decision.HaltID != "") != (number == 0) {
			t.Errorf("not the halt of call %d: %+v", number, halted.Decision)
		}
	}
	decision, err := session.DecideShell(ctx, "ls", haltgate.WithRunID("another"))
	must(t, err)
	if !decision.Approved() || decision.Rating.Outcome != haltgate.OutcomeSafe {
		t.Errorf("another run is not its own: %+v", decision)
	}
}

func TestAHaltThatSomebodyWatchesWaitsForTheAnswer(t *testing.T) {
	gate := serve(t, `{}`)
	ctx := bounded(t)
	client := gate.connect()
	watch := client.WatchHalts()
	next, stop := iter.Pull2(watch.Events(ctx))
	defer stop()
	if event, err, _ := next(); err != nil || event.Kind != haltgate.SnapshotEnd || event.Open != 0 {
		t.Fatalf("not an empty snapshot: %+v, %v", event, err)
	}
	session := client.Session("s")
	waiting := inBackground(func() (*haltgate.Decision, error) { return session.DecideShell(ctx, attack) })
	halt := asked(t, next)
	if halt.State != "OPEN" || halt.Rating.Outcome != haltgate.OutcomeAttack || len(halt.Prompt.FramedLines) == 0 {
		t.Errorf("not a halt that waits: %+v", halt)
	}
	settled, err := client.RunAnyway(ctx, halt.HaltID)
	must(t, err)
	if settled.State != "RAN_ANYWAY" || settled.Answer.Verdict != haltgate.VerdictRunAnyway {
		t.Errorf("not let through: %+v", settled)
	}
	got := <-waiting
	must(t, got.err)
	if !got.decision.Approved() || got.decision.HaltID != halt.HaltID {
		t.Errorf("not approved: %+v", got.decision)
	}
	_, err = client.Stop(ctx, halt.HaltID)
	var refused *haltgate.RefusedError
	if !errors.As(err, &refused) || refused.Reason != "ALREADY_ANSWERED" || refused.Domain != haltgate.ErrorDomain ||
		refused.Metadata["verdict"] != "VERDICT_RUN_ANYWAY" {
		t.Errorf("the first answer does not win: %v", err)
	}
}

func TestACallThatNobodyCanApproveEndsTheRun(t *testing.T) {
	gate := serve(t, manual)
	ctx := bounded(t)
	session, err := gate.connect().OpenSession(ctx, haltgate.WithInteractive(false))
	must(t, err)
	decision, err := session.DecideShell(ctx, "mend docs")
	var unattended *haltgate.UnattendedError
	if decision.Approved() || !errors.As(err, &unattended) || !errors.Is(err, haltgate.ErrNotApproved) {
		t.Fatalf("not unattended: %v, %v", decision, err)
	}
	if unattended.Decision.Action != haltgate.Unattended || unattended.Decision.Message == "" {
		t.Errorf("not explained: %+v", unattended.Decision)
	}
}

func TestADryRunApprovesNothing(t *testing.T) {
	gate := serve(t, `{ "approvals": "bypass" }`)
	ctx := bounded(t)
	session := gate.connect().Session("s")
	decision, err := session.DecideShell(ctx, "ls", haltgate.WithDryRun())
	must(t, err)
	if decision.Action != haltgate.Approve || decision.Approved() || !decision.DryRun || decision.Raw.GetExplanation() == nil {
		t.Errorf("not an explanation: %+v", decision)
	}
	decision, err = session.DecideShell(ctx, "ls")
	must(t, err)
	if !decision.Approved() || decision.DryRun {
		t.Errorf("not approved: %+v", decision)
	}
}

func TestAWrongRequestIsAnErrorThatNamesEachField(t *testing.T) {
	gate := serve(t, `{}`)
	ctx := bounded(t)
	session := gate.connect().Session("s")
	cases := []struct {
		ask   func() (*haltgate.Decision, error)
		field string
	}{
		{func() (*haltgate.Decision, error) { return session.DecideShell(ctx, "") }, "call.shell.command"},
		{func() (*haltgate.Decision, error) {
			return session.DecideShell(ctx, "ls", haltgate.WithCwd("here"))
		}, "call.shell.cwd"},
		{func() (*haltgate.Decision, error) {
			return session.DecideShell(ctx, "ls", haltgate.WithDialect("fish"))
		}, "call.shell.dialect"},
		{func() (*haltgate.Decision, error) {
			return session.DecideTool(ctx, "read", map[string]any{"path": make(chan int)})
		}, "call.tool.arguments_json"},
		{func() (*haltgate.Decision, error) { return session.Decide(ctx, haltgate.Call{}) }, "call"},
	}
	for _, wrong := range cases {
		decision, err := wrong.ask()
		var invalid *haltgate.InvalidRequestError
		if decision.Approved() || !errors.As(err, &invalid) || !errors.Is(err, haltgate.ErrNotApproved) {
			t.Errorf("%s: not invalid: %v, %v", wrong.field, decision, err)
			continue
		}
		if len(invalid.Violations) != 1 || invalid.Violations[0].Field != wrong.field || invalid.Violations[0].Description == "" {
			t.Errorf("%s: not named: %+v", wrong.field, invalid.Violations)
		}
	}
}
