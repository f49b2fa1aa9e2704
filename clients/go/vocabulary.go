package haltgate

import (
	"fmt"
	"strings"
	"time"

	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	pb "github.com/haltgate/haltgate/clients/go/haltgate/v1"
)

// Action is what the caller must do.
type Action string

// What a decision can ask of the caller.
const (
	// Approve: run the call, once.
	Approve Action = "APPROVE"
	// Reject: do not run the call; hand the message to the model as the tool's result.
	Reject Action = "REJECT"
	// Escalate: do not run the call yet; a human was asked.
	Escalate Action = "ESCALATE"
	// Halt: end the run now; the model gets nothing.
	Halt Action = "HALT"
	// Unattended: end the run with a non-zero exit; approval was needed and nobody can answer.
	Unattended Action = "UNATTENDED"
)

// Stage is the step that decided.
type Stage string

// The steps that can decide.
const (
	// StageNotGated: the rung does not gate this call.
	StageNotGated Stage = "NOT_GATED"
	// StageDenyList: a deny entry or a denial matched.
	StageDenyList Stage = "DENY_LIST"
	// StageBypass: the rung is bypass.
	StageBypass Stage = "BYPASS"
	// StageHardlineFloor: the command is one that nothing may let through.
	StageHardlineFloor Stage = "HARDLINE_FLOOR"
	// StageEscalateEntry: an escalate entry matched.
	StageEscalateEntry Stage = "ESCALATE_ENTRY"
	// StageAllowList: an allow entry or a grant matched.
	StageAllowList Stage = "ALLOW_LIST"
	// StageAllowTripwire: an allow entry or a grant matched, and the command was still rated.
	StageAllowTripwire Stage = "ALLOW_TRIPWIRE"
	// StageRater: the rating decided.
	StageRater Stage = "RATER"
	// StageToolOpenWorldFloor: the tool may reach parties outside.
	StageToolOpenWorldFloor Stage = "TOOL_OPEN_WORLD_FLOOR"
	// StageUnratedRung: nothing matched, and at this rung nothing is rated.
	StageUnratedRung Stage = "UNRATED_RUNG"
)

// Scope is how far an approval, a rejection or a grant reaches. Empty: none.
type Scope string

// How far something reaches.
const (
	// ScopeOnce: this one call.
	ScopeOnce Scope = "ONCE"
	// ScopeSession: until the session is over.
	ScopeSession Scope = "SESSION"
	// ScopeAlways: kept for the project, for every session.
	ScopeAlways Scope = "ALWAYS"
)

// Rung is how much a session's agent may do unasked.
type Rung string

// The rungs, from the strictest to the loosest.
const (
	// RungManual: everything but built-in reads asks a human.
	RungManual Rung = "MANUAL"
	// RungWrite: everything but built-in reads and writes asks a human.
	RungWrite Rung = "WRITE"
	// RungAssisted: commands are rated; what is not safe asks a human.
	RungAssisted Rung = "ASSISTED"
	// RungAuto: commands are rated; what is destructive goes back to the agent a few times before a human is asked.
	RungAuto Rung = "AUTO"
	// RungBypass: nothing is rated or asked; deny entries, denials and the hardline floor still hold.
	RungBypass Rung = "BYPASS"
)

// Outcome is what a rating says of a call.
type Outcome string

// What a rating can say.
const (
	// OutcomeSafe: every effect is known and harmless.
	OutcomeSafe Outcome = "SAFE"
	// OutcomeDestructive: everything that is none of the others, and everything that was not assessed.
	OutcomeDestructive Outcome = "DESTRUCTIVE"
	// OutcomeCatastrophic: undoing it would need something outside the session.
	OutcomeCatastrophic Outcome = "CATASTROPHIC"
	// OutcomeAttack: the command's own structure shows a hostile purpose.
	OutcomeAttack Outcome = "ATTACK"
)

// Dialect is the language that a shell command is written in. Empty: bash.
type Dialect string

// The dialects. Only bash is read; a command in another matches no allow entry and is never rated safe.
const (
	// DialectBash: bash, and sh as bash reads it.
	DialectBash Dialect = "BASH"
	// DialectPowerShell is accepted and never read.
	DialectPowerShell Dialect = "POWERSHELL"
	// DialectCmd is accepted and never read.
	DialectCmd Dialect = "CMD"
)

// Verdict is what a human answered.
type Verdict string

// What a human can answer.
const (
	// VerdictApprove lets an escalated call run.
	VerdictApprove Verdict = "APPROVE"
	// VerdictReject refuses an escalated call.
	VerdictReject Verdict = "REJECT"
	// VerdictRunAnyway lets the one halted command run and its run go on.
	VerdictRunAnyway Verdict = "RUN_ANYWAY"
	// VerdictStop leaves the run halted.
	VerdictStop Verdict = "STOP"
)

// word is the name of a value without its prefix, and empty for a value that is not set or not known.
func word[Word ~string, Value interface {
	protoreflect.Enum
	~int32
}](value Value, prefix string) Word {
	described := value.Descriptor().Values().ByNumber(value.Number())
	if described == nil || value.Number() == 0 {
		return ""
	}
	return Word(strings.TrimPrefix(string(described.Name()), prefix))
}

// number is the value of a name without its prefix, and 0 for the empty one. A name that is not known is an
// [InvalidRequestError] about the field.
func number[Value ~int32](field string, values map[string]int32, prefix, name string) (Value, error) {
	if name == "" {
		return 0, nil
	}
	found, known := values[prefix+name]
	if !known || found == 0 {
		return 0, invalid(field, fmt.Sprintf("%q is not one of its values", name))
	}
	return Value(found), nil
}

func actionOf(value pb.Action) Action    { return word[Action](value, "ACTION_") }
func stageOf(value pb.Stage) Stage       { return word[Stage](value, "STAGE_") }
func scopeOf(value pb.Scope) Scope       { return word[Scope](value, "SCOPE_") }
func rungOf(value pb.Rung) Rung          { return word[Rung](value, "RUNG_") }
func verdictOf(value pb.Verdict) Verdict { return word[Verdict](value, "VERDICT_") }

func (scope Scope) number(field string) (pb.Scope, error) {
	return number[pb.Scope](field, pb.Scope_value, "SCOPE_", string(scope))
}

func (rung Rung) number() (pb.Rung, error) {
	return number[pb.Rung]("rung", pb.Rung_value, "RUNG_", string(rung))
}

func scopesOf(values []pb.Scope) []Scope {
	scopes := make([]Scope, 0, len(values))
	for _, value := range values {
		scopes = append(scopes, scopeOf(value))
	}
	return scopes
}

// moment is the zero time for a time that is absent.
func moment(value *timestamppb.Timestamp) time.Time {
	if value == nil {
		return time.Time{}
	}
	return value.AsTime()
}

// timestamp is absent for the zero time.
func timestamp(value time.Time) *timestamppb.Timestamp {
	if value.IsZero() {
		return nil
	}
	return timestamppb.New(value)
}

func span(value *durationpb.Duration) time.Duration { return value.AsDuration() }
