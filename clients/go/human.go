package haltgate

import (
	"time"

	pb "github.com/haltgate/haltgate/clients/go/haltgate/v1"
)

// HumanAnswer is what a human answered.
type HumanAnswer struct {
	// Verdict given.
	Verdict Verdict
	// Scope that was stored: [ScopeOnce] when nothing was.
	Scope Scope
	// Comment of the human. It is part of the message that the agent gets after a rejection.
	Comment string
	// AnsweredBy names who answered, as the server authenticated them.
	AnsweredBy string
	// AnsweredAt is when the answer was accepted.
	AnsweredAt time.Time
	// Stored is the grant's or the denial's entry. Nil when nothing was stored.
	Stored *RenderedEntry
}

func humanAnswerOf(answer *pb.HumanAnswer) *HumanAnswer {
	if answer == nil {
		return nil
	}
	return &HumanAnswer{
		Verdict:    verdictOf(answer.GetVerdict()),
		Scope:      scopeOf(answer.GetScope()),
		Comment:    answer.GetComment(),
		AnsweredBy: answer.GetAnsweredBy(),
		AnsweredAt: moment(answer.GetAnsweredAt()),
		Stored:     optionalEntryOf(answer.GetStored()),
	}
}

// Prompt is a question as people should see it.
type Prompt struct {
	// Headline in one sentence, safe to print on one row.
	Headline string
	// FramedLines are a complete prompt without its menu, ready to print row by row.
	FramedLines []string
}

func promptOf(prompt *pb.Prompt) Prompt {
	return Prompt{Headline: prompt.GetHeadline(), FramedLines: prompt.GetFramedLines()}
}

// Offer is what an answer to an escalation may do. What is not offered is refused.
type Offer struct {
	// ApproveScopes that may be answered with an approval.
	ApproveScopes []Scope
	// RejectScopes that may be answered with a rejection.
	RejectScopes []Scope
	// Grant is exactly the entry that an approval for longer would store. Nil when none is on offer.
	Grant *RenderedEntry
	// Denial is exactly the entry that a rejection for the session would store. Nil when none is on offer.
	Denial *RenderedEntry
}

// Escalation is a decision that waits for a human, or did.
type Escalation struct {
	// EscalationID to answer with.
	EscalationID string
	// DecisionID of the decision that waits.
	DecisionID string
	// Project, SessionID, RunID and RequestID of the call.
	Project, SessionID, RunID, RequestID string
	// State: "OPEN", "APPROVED", "REJECTED", "WITHDRAWN" or "EXPIRED". Empty for one that this client does not know.
	State string
	// RaisedAt is when the human was asked.
	RaisedAt time.Time
	// ExpiresAt is when it will count as rejected. Zero: never.
	ExpiresAt time.Time
	// Rung in force when the call arrived.
	Rung Rung
	// Stage: why the human is asked.
	Stage Stage
	// Rating of the call. Nil when it was not rated.
	Rating *Rating
	// Offer: what an answer may do.
	Offer Offer
	// Prompt for people.
	Prompt Prompt
	// Labels of the session.
	Labels map[string]string
	// Answer that settled it. Nil unless a human did.
	Answer *HumanAnswer
	// Raw is the whole escalation, with the call, its subject and the negotiation.
	Raw *pb.Escalation
}

func escalationOf(escalation *pb.Escalation) *Escalation {
	return &Escalation{
		EscalationID: escalation.GetEscalationId(),
		DecisionID:   escalation.GetDecisionId(),
		Project:      escalation.GetProject(),
		SessionID:    escalation.GetSessionId(),
		RunID:        escalation.GetRunId(),
		RequestID:    escalation.GetRequestId(),
		State:        word[string](escalation.GetState(), "ESCALATION_STATE_"),
		RaisedAt:     moment(escalation.GetRaisedAt()),
		ExpiresAt:    moment(escalation.GetExpiresAt()),
		Rung:         rungOf(escalation.GetRung()),
		Stage:        stageOf(escalation.GetStage()),
		Rating:       ratingOf(escalation.GetRating()),
		Offer: Offer{
			ApproveScopes: scopesOf(escalation.GetOffer().GetApproveScopes()),
			RejectScopes:  scopesOf(escalation.GetOffer().GetRejectScopes()),
			Grant:         optionalEntryOf(escalation.GetOffer().GetGrant()),
			Denial:        optionalEntryOf(escalation.GetOffer().GetDenial()),
		},
		Prompt: promptOf(escalation.GetPrompt()),
		Labels: escalation.GetLabels(),
		Answer: humanAnswerOf(escalation.GetAnswer()),
		Raw:    escalation,
	}
}

// AttackHalt is a decision that halted a run because the call looked like an attack.
type AttackHalt struct {
	// HaltID to answer with.
	HaltID string
	// DecisionID of the decision that halted the run.
	DecisionID string
	// Project, SessionID, RunID and RequestID of the call.
	Project, SessionID, RunID, RequestID string
	// State: "OPEN", "RAN_ANYWAY", "STOPPED", "UNATTENDED", "WITHDRAWN" or "EXPIRED". Empty for one that this client does
	// not know.
	State string
	// RaisedAt is when the run was halted.
	RaisedAt time.Time
	// ExpiresAt is when waiting ends and the run stays halted. Zero: never, or not waiting.
	ExpiresAt time.Time
	// Rung in force when the call arrived.
	Rung Rung
	// Stage: [StageRater] or [StageAllowTripwire].
	Stage Stage
	// Rating that called it an attack.
	Rating *Rating
	// Prompt for people: the banner.
	Prompt Prompt
	// Labels of the session.
	Labels map[string]string
	// Answer that settled it. Nil unless a human did.
	Answer *HumanAnswer
	// Raw is the whole halt, with the call and its subject.
	Raw *pb.AttackHalt
}

func attackHaltOf(halt *pb.AttackHalt) *AttackHalt {
	return &AttackHalt{
		HaltID:     halt.GetHaltId(),
		DecisionID: halt.GetDecisionId(),
		Project:    halt.GetProject(),
		SessionID:  halt.GetSessionId(),
		RunID:      halt.GetRunId(),
		RequestID:  halt.GetRequestId(),
		State:      word[string](halt.GetState(), "ATTACK_HALT_STATE_"),
		RaisedAt:   moment(halt.GetRaisedAt()),
		ExpiresAt:  moment(halt.GetExpiresAt()),
		Rung:       rungOf(halt.GetRung()),
		Stage:      stageOf(halt.GetStage()),
		Rating:     ratingOf(halt.GetRating()),
		Prompt:     promptOf(halt.GetPrompt()),
		Labels:     halt.GetLabels(),
		Answer:     humanAnswerOf(halt.GetAnswer()),
		Raw:        halt,
	}
}
