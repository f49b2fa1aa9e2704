package haltgate

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// ErrNotApproved matches, with [errors.Is], every error of a request: whatever went wrong, the call must not run.
var ErrNotApproved = errors.New("not approved")

// ErrorDomain is the domain of the reasons that a haltgate server gives.
const ErrorDomain = "haltgate.dev"

// AttackHaltedError says that the run must end now: this call, or an earlier one of its run, looked like an attack.
// The model gets nothing.
type AttackHaltedError struct {
	// Decision that says so. Its Message is for people, and its HaltID is empty when an earlier call halted the run.
	Decision *Decision
}

func (e *AttackHaltedError) Error() string {
	return "haltgate: the run is halted: " + oneLine(e.Decision.Message)
}

// Is makes the error match [ErrNotApproved].
func (e *AttackHaltedError) Is(target error) bool { return target == ErrNotApproved }

// UnattendedError says that the run must end with a non-zero exit: approval was needed and nobody can give it.
type UnattendedError struct {
	// Decision that says so. Its Message is for people.
	Decision *Decision
}

func (e *UnattendedError) Error() string {
	return "haltgate: approval is needed and nobody can answer: " + oneLine(e.Decision.Message)
}

// Is makes the error match [ErrNotApproved].
func (e *UnattendedError) Is(target error) bool { return target == ErrNotApproved }

// GateUnavailableError says that no answer came: the gate cannot be reached, the connection broke, time ran out, or the
// server is shutting down or cannot record.
type GateUnavailableError struct {
	// Reason of the server, such as [ReasonDraining] or [ReasonStoreUnavailable]. Empty when it gave none.
	Reason Reason
	// RetryAfter is how long the server asks to be left alone. Zero when it said nothing.
	RetryAfter time.Duration
	// Err is the cause. Where the context ended, it matches the context's error.
	Err error
}

func (e *GateUnavailableError) Error() string {
	return "haltgate: the gate gave no answer, so the call is not approved: " + oneLine(e.Err.Error())
}

// Is makes the error match [ErrNotApproved].
func (e *GateUnavailableError) Is(target error) bool { return target == ErrNotApproved }

// Unwrap returns the cause.
func (e *GateUnavailableError) Unwrap() error { return e.Err }

// UnexpectedAnswerError says that the server's answer is not one that this client knows: a value that is unknown or not
// set, or a field that is missing or answers another request.
type UnexpectedAnswerError struct {
	// Field of the answer, as in "action".
	Field string
	// Problem with it.
	Problem string
}

func (e *UnexpectedAnswerError) Error() string {
	return fmt.Sprintf("haltgate: the gate's answer cannot be relied on, so the call is not approved: %s %s", e.Field, e.Problem)
}

// Is makes the error match [ErrNotApproved].
func (e *UnexpectedAnswerError) Is(target error) bool { return target == ErrNotApproved }

// FieldViolation is one thing that is wrong with a request.
type FieldViolation struct {
	// Field by its path, as in "call.shell.command".
	Field string
	// Description of what is wrong, and what to write instead.
	Description string
}

// InvalidRequestError says that the request itself is wrong. A retry is of no use.
type InvalidRequestError struct {
	// Reason of the server, such as [ReasonInvalidField]. Empty when the request was not even sent.
	Reason Reason
	// Metadata of the reason, such as "field" and "limit".
	Metadata map[string]string
	// Violations, at least one where the server named them.
	Violations []FieldViolation
	// Err is the cause.
	Err error
}

func (e *InvalidRequestError) Error() string {
	if len(e.Violations) == 0 {
		return "haltgate: the request is invalid: " + oneLine(e.Err.Error())
	}
	problems := make([]string, 0, len(e.Violations))
	for _, violation := range e.Violations {
		problems = append(problems, violation.Field+": "+violation.Description)
	}
	return "haltgate: the request is invalid: " + oneLine(strings.Join(problems, "; "))
}

// Is makes the error match [ErrNotApproved].
func (e *InvalidRequestError) Is(target error) bool { return target == ErrNotApproved }

// Unwrap returns the cause.
func (e *InvalidRequestError) Unwrap() error { return e.Err }

func invalid(field, problem string) error {
	return &InvalidRequestError{
		Violations: []FieldViolation{{Field: field, Description: problem}},
		Err:        errors.New(field + ": " + problem),
	}
}

// RefusedError says that the server refused to serve the request. It says nothing about the call that was to be judged,
// except that it is not approved.
type RefusedError struct {
	// Code of the status.
	Code codes.Code
	// Reason of the server, such as [ReasonSessionClosed] or [ReasonRoleNotAllowed]. Empty when it gave none.
	Reason Reason
	// Domain of the reason: [ErrorDomain], unless something on the way refused.
	Domain string
	// Metadata of the reason. The contract says which keys each reason has.
	Metadata map[string]string
	// RetryAfter is how long the server asks to be left alone. Zero when it said nothing.
	RetryAfter time.Duration
	// Err is the cause.
	Err error
}

func (e *RefusedError) Error() string {
	name := string(e.Reason)
	if name == "" {
		name = e.Code.String()
	}
	return oneLine(fmt.Sprintf("haltgate: the gate refused the request (%s): %s", name, status.Convert(e.Err).Message()))
}

// Role of the caller, as in "agent". Empty unless the Reason is [ReasonRoleNotAllowed].
func (e *RefusedError) Role() string {
	if e.Reason != ReasonRoleNotAllowed {
		return ""
	}
	return e.Metadata["role"]
}

// Needed is what would have been let in: the roles where the caller has another ([ReasonRoleNotAllowed]), the kinds of
// credentials where it showed none ([ReasonCredentialsMissing]).
func (e *RefusedError) Needed() []string {
	key := map[Reason]string{ReasonRoleNotAllowed: "needed", ReasonCredentialsMissing: "accepted"}[e.Reason]
	return strings.FieldsFunc(e.Metadata[key], func(character rune) bool { return character == ',' })
}

// Is makes the error match [ErrNotApproved].
func (e *RefusedError) Is(target error) bool { return target == ErrNotApproved }

// Unwrap returns the cause.
func (e *RefusedError) Unwrap() error { return e.Err }

// failure gives an error of grpc-go its type.
func failure(ctx context.Context, err error) error {
	state := status.Convert(err)
	if ended := ctx.Err(); ended != nil {
		return &GateUnavailableError{Err: fmt.Errorf("%w: %w", ended, err)}
	}
	details := detailsOf(state)
	ours := details.domain == ErrorDomain
	switch state.Code() {
	case codes.Unavailable, codes.DeadlineExceeded, codes.Canceled, codes.Aborted:
		return &GateUnavailableError{Reason: details.reason, RetryAfter: details.retryAfter, Err: err}
	case codes.InvalidArgument:
		return &InvalidRequestError{
			Reason: details.reason, Metadata: details.metadata, Violations: details.violations, Err: err,
		}
	case codes.Unknown, codes.Internal, codes.DataLoss:
		// Without a reason of the gate, something on the way failed.
		if !ours {
			return &GateUnavailableError{Err: err}
		}
	}
	return &RefusedError{
		Code: state.Code(), Reason: details.reason, Domain: details.domain, Metadata: details.metadata,
		RetryAfter: details.retryAfter, Err: err,
	}
}

type details struct {
	reason     Reason
	domain     string
	metadata   map[string]string
	violations []FieldViolation
	retryAfter time.Duration
	// saysWhen is true where the server said when to come back, be it at once.
	saysWhen bool
}

func detailsOf(state *status.Status) details {
	found := details{}
	for _, detail := range state.Details() {
		switch detail := detail.(type) {
		case *errdetails.ErrorInfo:
			found.reason, found.domain, found.metadata = Reason(detail.GetReason()), detail.GetDomain(), detail.GetMetadata()
		case *errdetails.BadRequest:
			for _, violation := range detail.GetFieldViolations() {
				found.violations = append(found.violations,
					FieldViolation{Field: violation.GetField(), Description: violation.GetDescription()})
			}
		case *errdetails.RetryInfo:
			found.saysWhen = true
			found.retryAfter = max(detail.GetRetryDelay().AsDuration(), 0)
		}
	}
	return found
}

// oneLine keeps what a model wrote from breaking out of the line of a log, or from turning its order around: control
// characters, format characters and line separators become spaces.
func oneLine(text string) string {
	return strings.Map(func(character rune) rune {
		if unicode.In(character, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp) {
			return ' '
		}
		return character
	}, text)
}
