package haltgate

import (
	"context"
	"iter"
	"time"

	pb "github.com/haltgate/haltgate/clients/go/haltgate/v1"
)

// DecisionRecord is a durable record of one decision. A decision that waited for a human has two: from when the human
// was asked, and from when it was settled.
type DecisionRecord struct {
	// RecordID of this record.
	RecordID string
	// DecisionID, SessionID, RunID and RequestID of the decision.
	DecisionID, SessionID, RunID, RequestID string
	// Caller that asked, as the server authenticated it.
	Caller string
	// ArrivedAt is when the call arrived.
	ArrivedAt time.Time
	// SettledAt is when it was settled. Zero in the record from when a human was asked.
	SettledAt time.Time
	// Action that was decided. Empty when deciding failed; see Error.
	Action Action
	// Stage that decided.
	Stage Stage
	// Scope of an approval or of a human's rejection.
	Scope Scope
	// Rung in force when the call arrived.
	Rung Rung
	// Message that the caller got. Raw text.
	Message string
	// Rating in force. Nil when the call was not rated.
	Rating *Rating
	// MatchedRule that decided or directed the decision. Nil when no entry matched.
	MatchedRule *MatchedRule
	// HumanInvolvement: "WAITING", "APPROVED", "REJECTED" or "NOBODY". Empty when no human had a part in it.
	HumanInvolvement string
	// Human answer. Nil when there is none.
	Human *HumanAnswer
	// EscalationID, when a human was asked.
	EscalationID string
	// HaltID, when the run was halted.
	HaltID string
	// Error when deciding failed. The call did not run.
	Error string
	// Sequence number in the project's chain, from 1.
	Sequence uint64
	// Hash in the chain.
	Hash string
	// Raw is the whole record, with the redacted call.
	Raw *pb.DecisionRecord
}

// DecisionFilter narrows a list of records: all conditions must hold. The zero value lists everything.
type DecisionFilter struct {
	// SessionID that they must belong to.
	SessionID string
	// RunID that they must belong to.
	RunID string
	// Actions, one of which they must have.
	Actions []Action
	// Stages, one of which they must have.
	Stages []Stage
	// Text that the command, the tool's name, the arguments or the message must contain.
	Text string
	// ArrivedFrom: they arrived at this time or later.
	ArrivedFrom time.Time
	// ArrivedBefore: they arrived before this time.
	ArrivedBefore time.Time
	// OldestFirst turns the order around. The default is the newest first.
	OldestFirst bool
	// PageSize of the requests. Zero: the server's.
	PageSize int32
	// PageToken of the page to begin with, from [Client.Stub]. Empty: the first.
	PageToken string
}

// ListDecisions yields the records of the project, page by page. An error ends it.
func (client *Client) ListDecisions(ctx context.Context, filter DecisionFilter) iter.Seq2[*DecisionRecord, error] {
	return func(yield func(*DecisionRecord, error) bool) {
		request, err := filter.message(client.project)
		if err != nil {
			yield(nil, err)
			return
		}
		for {
			answer, err := invoke(ctx, client, repeatable, client.stub.ListDecisions, request)
			if err != nil {
				yield(nil, err)
				return
			}
			for _, record := range answer.GetDecisions() {
				if !yield(recordOf(record), nil) {
					return
				}
			}
			if request.PageToken = answer.GetNextPageToken(); request.PageToken == "" {
				return
			}
		}
	}
}

func (filter DecisionFilter) message(project string) (*pb.ListDecisionsRequest, error) {
	request := &pb.ListDecisionsRequest{
		Project:       project,
		SessionId:     filter.SessionID,
		RunId:         filter.RunID,
		Text:          filter.Text,
		ArrivedFrom:   timestamp(filter.ArrivedFrom),
		ArrivedBefore: timestamp(filter.ArrivedBefore),
		PageSize:      filter.PageSize,
		PageToken:     filter.PageToken,
	}
	if filter.OldestFirst {
		request.Order = pb.SortOrder_SORT_ORDER_OLDEST_FIRST
	}
	for _, action := range filter.Actions {
		read, err := number[pb.Action]("actions", pb.Action_value, "ACTION_", string(action))
		if err != nil {
			return nil, err
		}
		request.Actions = append(request.Actions, read)
	}
	for _, stage := range filter.Stages {
		read, err := number[pb.Stage]("stages", pb.Stage_value, "STAGE_", string(stage))
		if err != nil {
			return nil, err
		}
		request.Stages = append(request.Stages, read)
	}
	return request, nil
}

func recordOf(record *pb.DecisionRecord) *DecisionRecord {
	return &DecisionRecord{
		RecordID:         record.GetRecordId(),
		DecisionID:       record.GetDecisionId(),
		SessionID:        record.GetSessionId(),
		RunID:            record.GetRunId(),
		RequestID:        record.GetRequestId(),
		Caller:           record.GetCaller(),
		ArrivedAt:        moment(record.GetArrivedAt()),
		SettledAt:        moment(record.GetSettledAt()),
		Action:           actionOf(record.GetAction()),
		Stage:            stageOf(record.GetStage()),
		Scope:            scopeOf(record.GetScope()),
		Rung:             rungOf(record.GetRung()),
		Message:          record.GetMessage(),
		Rating:           ratingOf(record.GetRating()),
		MatchedRule:      matchedRuleOf(record.GetMatchedRule()),
		HumanInvolvement: word[string](record.GetHumanInvolvement(), "HUMAN_INVOLVEMENT_"),
		Human:            humanAnswerOf(record.GetHuman()),
		EscalationID:     record.GetEscalationId(),
		HaltID:           record.GetHaltId(),
		Error:            record.GetError(),
		Sequence:         record.GetSequence(),
		Hash:             record.GetHash(),
		Raw:              record,
	}
}
