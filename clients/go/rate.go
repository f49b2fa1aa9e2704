package haltgate

import (
	"context"

	pb "github.com/haltgate/haltgate/clients/go/haltgate/v1"
)

// RateResult is a rating outside of any decision.
type RateResult struct {
	Rating
	// PolicyRevision that the rater was chosen under.
	PolicyRevision string
	// FramedLines are the call, the outcome and the reason, ready to print row by row.
	FramedLines []string
}

type rateSettings struct {
	details callDetails
	profile string
	fresh   bool
}

// RateOption says more about one rating.
type RateOption interface {
	applyRate(*rateSettings)
}

type rateOption func(*rateSettings)

func (option rateOption) applyRate(settings *rateSettings) { option(settings) }

// WithProfile asks the rater of this profile. Default: the one that the policy selects.
func WithProfile(profile string) RateOption {
	return rateOption(func(settings *rateSettings) { settings.profile = profile })
}

// WithFreshRating asks the rater even if an earlier rating of the session could be reused.
func WithFreshRating() RateOption {
	return rateOption(func(settings *rateSettings) { settings.fresh = true })
}

// Rate has one call rated with the project's defaults. Nothing is approved, recorded or asked. A rater that fails is no
// error: it is [OutcomeDestructive] with a cause.
func (client *Client) Rate(ctx context.Context, call Call, options ...RateOption) (*RateResult, error) {
	return client.Session("").Rate(ctx, call, options...)
}

// Rate has one call rated with this session's folders, tools and profile. Nothing is approved, recorded or asked.
func (session *Session) Rate(ctx context.Context, call Call, options ...RateOption) (*RateResult, error) {
	settings := rateSettings{}
	for _, option := range options {
		option.applyRate(&settings)
	}
	message, err := call.message(settings.details)
	if err != nil {
		return nil, err
	}
	request := &pb.RateRequest{
		Project: session.client.project, SessionId: session.id, Call: message, Profile: settings.profile, Fresh: settings.fresh,
	}
	answer, err := invoke(ctx, session.client, repeatable, session.client.stub.Rate, request)
	if err != nil {
		return nil, err
	}
	if answer.GetRating() == nil {
		return nil, &UnexpectedAnswerError{Field: "rating", Problem: "is missing"}
	}
	return &RateResult{
		Rating:         *ratingOf(answer.GetRating()),
		PolicyRevision: answer.GetPolicyRevision(),
		FramedLines:    answer.GetFramedLines(),
	}, nil
}
