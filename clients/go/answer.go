package haltgate

import (
	"cmp"
	"context"
	"time"

	pb "github.com/haltgate/haltgate/clients/go/haltgate/v1"
)

// Terms bound a grant. The zero value is no bound.
type Terms struct {
	// ExpiresAt is when the grant ends. Zero: never.
	ExpiresAt time.Time
	// MaxUses is how many calls the grant may let through. Zero: no limit.
	MaxUses uint32
	// Note for people.
	Note string
}

func (terms Terms) message() *pb.GrantTerms {
	if terms == (Terms{}) {
		return nil
	}
	message := &pb.GrantTerms{ExpiresAt: timestamp(terms.ExpiresAt), Note: terms.Note}
	if terms.MaxUses > 0 {
		message.MaxUses = &terms.MaxUses
	}
	return message
}

func termsOf(terms *pb.GrantTerms) Terms {
	return Terms{ExpiresAt: moment(terms.GetExpiresAt()), MaxUses: terms.GetMaxUses(), Note: terms.GetNote()}
}

type answerSettings struct {
	scope     Scope
	comment   string
	terms     Terms
	requestID string
}

// AnswerOption says more about an answer.
type AnswerOption interface {
	applyAnswer(*answerSettings)
}

type answerOption func(*answerSettings)

func (option answerOption) applyAnswer(settings *answerSettings) { option(settings) }

// WithScope says how far the answer reaches. It must be on offer. Default: [ScopeOnce].
func WithScope(scope Scope) AnswerOption {
	return answerOption(func(settings *answerSettings) { settings.scope = scope })
}

// WithComment says something to the agent. After a rejection it is part of the message that the model gets.
func WithComment(comment string) AnswerOption {
	return answerOption(func(settings *answerSettings) { settings.comment = comment })
}

// TermsOption is for answers and grants.
type TermsOption interface {
	AnswerOption
	GrantOption
}

func (terms Terms) applyAnswer(settings *answerSettings) { settings.terms = terms }
func (terms Terms) applyGrant(settings *grantSettings)   { settings.terms = terms }

// WithTerms bounds the grant that is stored. Default: no bounds.
func WithTerms(terms Terms) TermsOption { return terms }

// Approve lets an escalated call run. The first answer wins: after another one it is a [RefusedError] with
// [ReasonAlreadyAnswered].
func (client *Client) Approve(ctx context.Context, escalationID string, options ...AnswerOption) (*Escalation, error) {
	return client.AnswerEscalation(ctx, escalationID, VerdictApprove, options...)
}

// Reject refuses an escalated call.
func (client *Client) Reject(ctx context.Context, escalationID string, options ...AnswerOption) (*Escalation, error) {
	return client.AnswerEscalation(ctx, escalationID, VerdictReject, options...)
}

// RunAnyway lets the one halted command run, and its run go on. Nothing is remembered.
func (client *Client) RunAnyway(ctx context.Context, haltID string, options ...AnswerOption) (*AttackHalt, error) {
	return client.AnswerHalt(ctx, haltID, VerdictRunAnyway, options...)
}

// Stop leaves a run halted.
func (client *Client) Stop(ctx context.Context, haltID string, options ...AnswerOption) (*AttackHalt, error) {
	return client.AnswerHalt(ctx, haltID, VerdictStop, options...)
}

// AnswerEscalation is [Client.Approve] or [Client.Reject], by its verdict.
func (client *Client) AnswerEscalation(
	ctx context.Context, id string, verdict Verdict, options ...AnswerOption,
) (*Escalation, error) {
	request := &pb.AnswerRequest{Target: &pb.AnswerRequest_EscalationId{EscalationId: id}}
	answer, err := client.answer(ctx, request, verdict, options)
	if err != nil {
		return nil, err
	}
	if settled := answer.GetEscalation().GetEscalationId(); settled != id {
		return nil, mismatch("escalation.escalation_id", settled, id)
	}
	return escalationOf(answer.GetEscalation()), nil
}

// AnswerHalt is [Client.RunAnyway] or [Client.Stop], by its verdict.
func (client *Client) AnswerHalt(
	ctx context.Context, id string, verdict Verdict, options ...AnswerOption,
) (*AttackHalt, error) {
	request := &pb.AnswerRequest{Target: &pb.AnswerRequest_HaltId{HaltId: id}}
	answer, err := client.answer(ctx, request, verdict, options)
	if err != nil {
		return nil, err
	}
	if settled := answer.GetHalt().GetHaltId(); settled != id {
		return nil, mismatch("halt.halt_id", settled, id)
	}
	return attackHaltOf(answer.GetHalt()), nil
}

func (client *Client) answer(
	ctx context.Context, request *pb.AnswerRequest, verdict Verdict, options []AnswerOption,
) (*pb.AnswerResponse, error) {
	settings := answerSettings{}
	for _, option := range options {
		option.applyAnswer(&settings)
	}
	scope, err := settings.scope.number("scope")
	if err != nil {
		return nil, err
	}
	given, err := number[pb.Verdict]("verdict", pb.Verdict_value, "VERDICT_", string(verdict))
	if err != nil {
		return nil, err
	}
	request.Project = client.project
	request.Verdict = given
	request.Scope = scope
	request.Comment = settings.comment
	request.Terms = settings.terms.message()
	request.RequestId = cmp.Or(settings.requestID, newRequestID())
	return invoke(ctx, client, repeatable, client.stub.Answer, request)
}
