package haltgate

import (
	"fmt"
	"time"

	pb "github.com/haltgate/haltgate/clients/go/haltgate/v1"
)

// Decision is what the gate decided about one call.
type Decision struct {
	// Action that the caller must take.
	Action Action
	// Stage that decided.
	Stage Stage
	// Scope of an approval or of a human's rejection. Empty with the other actions.
	Scope Scope
	// Message. After [Reject]: what to give the model as the tool's result. Raw text: it may quote the command.
	Message string
	// FramedLines are the message, ready to print row by row.
	FramedLines []string
	// DecisionID of the decision and of its durable record. Empty for a dry run.
	DecisionID string
	// RequestID that the call was asked about under.
	RequestID string
	// SessionID of the session that decided.
	SessionID string
	// RunID of the request.
	RunID string
	// Rung in force when the call arrived.
	Rung Rung
	// PolicyRevision that the decision was made under.
	PolicyRevision string
	// EscalationID that a human answers. Empty when none was asked about an escalation.
	EscalationID string
	// HaltID that a human answers: with [Escalate], whether the command may run all the same. Empty unless this call
	// halted its run.
	HaltID string
	// Hardline describes the forbidden kind of command. Empty unless Stage is [StageHardlineFloor].
	Hardline string
	// Rating of the call. Nil when it was not rated.
	Rating *Rating
	// MatchedRule is the entry that decided, or that led to the rating or the human. Nil when no entry matched.
	MatchedRule *MatchedRule
	// Notices for the people who run the agent, in order. They never change the decision.
	Notices []Notice
	// Human answer that settled the decision. Nil when no human was involved, or none has answered yet.
	Human *HumanAnswer
	// Budget of the negotiation at the rung auto, after this decision.
	Budget Budget
	// RunHalted is true while the run that the call belongs to is halted.
	RunHalted bool
	// Replayed is true when the decision was made for an earlier request with this request id.
	Replayed bool
	// DryRun is true for an explanation: nothing was decided, and Approved is false.
	DryRun bool
	// Raw is the whole answer.
	Raw *pb.DecideResponse

	approved bool
}

// Approved is true only for a complete and known [Approve] that answers the very request that was sent. It is false for
// a nil decision, and for a dry run, which decides nothing.
func (decision *Decision) Approved() bool { return decision != nil && decision.approved }

// Rating is an outcome for one call.
type Rating struct {
	// Outcome in force. One that this client does not know is [OutcomeDestructive].
	Outcome Outcome
	// Reason in one sentence. Raw text: a model may have written it.
	Reason string
	// SuggestedTool is approved already and does the same. Empty when there is none.
	SuggestedTool string
	// Source that the outcome comes from: "BUILT_IN", "MODEL" or "FLOOR".
	Source string
	// Cause why the call could not be assessed, such as "TIMEOUT". Empty when it was.
	Cause string
	// Profile of the rater. Empty for the built-in one.
	Profile string
	// Model that rated. Empty when none was asked.
	Model string
	// Duration of the rating.
	Duration time.Duration
	// Reused is true when an earlier rating of the same call was taken over.
	Reused bool
	// Raw is the whole rating, with the floors that found something.
	Raw *pb.Rating
}

func ratingOf(rating *pb.Rating) *Rating {
	if rating == nil {
		return nil
	}
	outcome := word[Outcome](rating.GetOutcome(), "OUTCOME_")
	if outcome == "" {
		outcome = OutcomeDestructive
	}
	return &Rating{
		Outcome:       outcome,
		Reason:        rating.GetReason(),
		SuggestedTool: rating.GetSuggestedTool(),
		Source:        word[string](rating.GetSource(), "RATING_SOURCE_"),
		Cause:         word[string](rating.GetCause(), "RATING_CAUSE_"),
		Profile:       rating.GetProfile(),
		Model:         rating.GetModel(),
		Duration:      span(rating.GetDuration()),
		Reused:        rating.GetReused(),
		Raw:           rating,
	}
}

// MatchedRule is an entry that matched a call.
type MatchedRule struct {
	// List that the entry is on: "DENY", "ESCALATE" or "ALLOW".
	List string
	// Layer that it comes from: "DECLARED", "SESSION_GRANT", "PERSISTED_GRANT" or "DENIAL".
	Layer string
	// Entry that matched.
	Entry RenderedEntry
	// Undecided says why the entry could not be compared and counts as a match. Empty when it could.
	Undecided string
	// Rated is true when the match still leads to a rating.
	Rated bool
	// Index in the declared list, from 0. Nil for what a human added.
	Index *uint32
}

// Notice is a message for the people who run the agent.
type Notice struct {
	// Level: "INFO" or "WARNING".
	Level string
	// Code of what it is about, such as "RATING_TIMEOUT". Empty for something that has no code yet.
	Code string
	// Text in one or two sentences, safe to print on one row.
	Text string
}

func noticesOf(notices []*pb.Notice) []Notice {
	read := make([]Notice, 0, len(notices))
	for _, notice := range notices {
		level := word[string](notice.GetLevel(), "NOTICE_LEVEL_")
		if level == "" {
			level = "WARNING"
		}
		read = append(read, Notice{Level: level, Code: word[string](notice.GetCode(), "NOTICE_CODE_"), Text: notice.GetText()})
	}
	return read
}

// Budget counts the rejections of the rater at the rung auto.
type Budget struct {
	// ConsecutiveRejections since the last approval.
	ConsecutiveRejections uint32
	// RejectionsSinceHuman was last involved.
	RejectionsSinceHuman uint32
	// MaxConsecutiveRejections: the one that reaches it asks a human.
	MaxConsecutiveRejections uint32
	// MaxRejectionsSinceHuman: the one that reaches it asks a human.
	MaxRejectionsSinceHuman uint32
}

// settle makes a decision of an answer, or the error that ends a run. A dry run ends nothing.
func settle(request *pb.DecideRequest, answer *pb.DecideResponse) (*Decision, error) {
	if err := check(request, answer); err != nil {
		return nil, err
	}
	decision := decisionOf(answer)
	decision.DryRun = request.GetDryRun()
	if decision.DryRun {
		return decision, nil
	}
	switch decision.Action {
	case Halt:
		return nil, &AttackHaltedError{Decision: decision}
	case Unattended:
		return nil, &UnattendedError{Decision: decision}
	case Approve, Reject:
		// What was settled before its run was halted ends with the run.
		if decision.RunHalted {
			return nil, &AttackHaltedError{Decision: decision}
		}
	case Escalate:
	}
	decision.approved = decision.Action == Approve
	return decision, nil
}

// check holds an answer against its request: what is unknown, missing or another's is relied on by nobody.
func check(request *pb.DecideRequest, answer *pb.DecideResponse) error {
	action := actionOf(answer.GetAction())
	switch {
	case action == "":
		return unknown("action", answer.GetAction())
	case stageOf(answer.GetStage()) == "":
		return unknown("stage", answer.GetStage())
	case request.GetDryRun():
		// Nothing was decided, so that there is nothing more to rely on.
		return nil
	case rungOf(answer.GetRung()) == "":
		return unknown("rung", answer.GetRung())
	case scopeOf(answer.GetScope()) == "" && (action == Approve || answer.GetScope() != pb.Scope_SCOPE_UNSPECIFIED):
		return unknown("scope", answer.GetScope())
	case answer.GetRequestId() != request.GetRequestId():
		return mismatch("request_id", answer.GetRequestId(), request.GetRequestId())
	case answer.GetRunId() != request.GetRunId():
		return mismatch("run_id", answer.GetRunId(), request.GetRunId())
	case answer.GetSessionId() != request.GetSessionId():
		return mismatch("session_id", answer.GetSessionId(), request.GetSessionId())
	case answer.GetDecisionId() == "":
		return &UnexpectedAnswerError{Field: "decision_id", Problem: "is missing"}
	case action == Escalate && answer.GetEscalationId() == "" && answer.GetHaltId() == "":
		return &UnexpectedAnswerError{Field: "escalation_id", Problem: "is missing: nobody is waited for"}
	}
	return nil
}

func unknown(field string, value fmt.Stringer) error {
	return &UnexpectedAnswerError{Field: field, Problem: fmt.Sprintf("is %s, which this client does not know", value)}
}

func mismatch(field, given, asked string) error {
	return &UnexpectedAnswerError{Field: field, Problem: fmt.Sprintf("is %q where %q was asked about", given, asked)}
}

func decisionOf(answer *pb.DecideResponse) *Decision {
	return &Decision{
		Action:         actionOf(answer.GetAction()),
		Stage:          stageOf(answer.GetStage()),
		Scope:          scopeOf(answer.GetScope()),
		Message:        answer.GetMessage(),
		FramedLines:    answer.GetFramedLines(),
		DecisionID:     answer.GetDecisionId(),
		RequestID:      answer.GetRequestId(),
		SessionID:      answer.GetSessionId(),
		RunID:          answer.GetRunId(),
		Rung:           rungOf(answer.GetRung()),
		PolicyRevision: answer.GetPolicyRevision(),
		EscalationID:   answer.GetEscalationId(),
		HaltID:         answer.GetHaltId(),
		Hardline:       answer.GetHardline(),
		Rating:         ratingOf(answer.GetRating()),
		MatchedRule:    matchedRuleOf(answer.GetMatchedRule()),
		Notices:        noticesOf(answer.GetNotices()),
		Human:          humanAnswerOf(answer.GetHuman()),
		Budget: Budget{
			ConsecutiveRejections:    answer.GetBudget().GetConsecutiveRejections(),
			RejectionsSinceHuman:     answer.GetBudget().GetRejectionsSinceHuman(),
			MaxConsecutiveRejections: answer.GetBudget().GetMaxConsecutiveRejections(),
			MaxRejectionsSinceHuman:  answer.GetBudget().GetMaxRejectionsSinceHuman(),
		},
		RunHalted: answer.GetRunHalted(),
		Replayed:  answer.GetReplayed(),
		Raw:       answer,
	}
}

func matchedRuleOf(rule *pb.MatchedRule) *MatchedRule {
	if rule == nil {
		return nil
	}
	return &MatchedRule{
		List:      word[string](rule.GetList(), "RULE_LIST_"),
		Layer:     word[string](rule.GetLayer(), "RULE_LAYER_"),
		Entry:     renderedEntryOf(rule.GetEntry()),
		Undecided: rule.GetUndecided(),
		Rated:     rule.GetRated(),
		Index:     rule.Index,
	}
}
