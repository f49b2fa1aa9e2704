package haltgate

import (
	"context"
	"math/rand/v2"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// How often a request is sent at most, and how long is paused between two attempts.
const (
	maxAttempts   = 4
	shortestPause = 50 * time.Millisecond
	longestPause  = time.Second
)

// repetition says whether a request may be sent twice.
type repetition bool

const (
	// repeatable requests read, or carry a request id that makes the second a replay of the first.
	repeatable repetition = true
	// onceOnly requests change something each time that they arrive.
	onceOnly repetition = false
)

type method[Request, Answer any] func(context.Context, Request, ...grpc.CallOption) (Answer, error)

// invoke sends a request within the client's deadline, and gives errors their types.
func invoke[Request, Answer any](
	ctx context.Context, client *Client, repetition repetition, send method[Request, Answer], request Request,
) (Answer, error) {
	ctx, cancel := context.WithTimeout(ctx, client.deadline)
	defer cancel()
	for attempt := 1; ; attempt++ {
		answer, err := send(ctx, request)
		if err == nil {
			return answer, nil
		}
		if repetition == onceOnly || attempt == maxAttempts || !mayPass(err) ||
			!pause(ctx, pauseAfter(attempt, err)) {
			return answer, failure(ctx, err)
		}
	}
}

// mayPass says whether asking again is of use: the gate is out of reach, or it did not begin and says when it can.
func mayPass(err error) bool {
	switch status.Code(err) {
	case codes.Unavailable:
		return true
	case codes.ResourceExhausted:
		details := detailsOf(status.Convert(err))
		return details.domain == ErrorDomain && details.reason == ReasonOverloaded && details.saysWhen
	default:
		return false
	}
}

// pauseAfter is a random part of a limit that doubles with each attempt, but never less than the server asks for.
func pauseAfter(attempt int, err error) time.Duration {
	limit := min(shortestPause<<min(attempt-1, 10), longestPause)
	return max(rand.N(limit), detailsOf(status.Convert(err)).retryAfter)
}

// pause waits, and returns false where the context would end before.
func pause(ctx context.Context, length time.Duration) bool {
	if deadline, bounded := ctx.Deadline(); bounded && time.Until(deadline) <= length {
		return false
	}
	timer := time.NewTimer(length)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
