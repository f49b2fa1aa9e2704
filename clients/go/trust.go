package haltgate

import (
	"context"

	pb "github.com/haltgate/haltgate/clients/go/haltgate/v1"
)

// Hint is one of the hints of the MCP tool annotations.
type Hint string

// The hints, in their canonical order.
const (
	// HintReadOnly: the tool changes nothing.
	HintReadOnly Hint = "READ_ONLY"
	// HintDestructive: the tool may destroy what it changes.
	HintDestructive Hint = "DESTRUCTIVE"
	// HintIdempotent: repeating a call changes nothing more.
	HintIdempotent Hint = "IDEMPOTENT"
	// HintOpenWorld: the tool reaches parties outside.
	HintOpenWorld Hint = "OPEN_WORLD"
)

// ServerTrust says which hints of one MCP server are believed.
type ServerTrust struct {
	// Server key.
	Server string
	// Trusted hints.
	Trusted []Hint
	// Configured is true when the session has a server of this key.
	Configured bool
	// Changed is true when the trust was changed in this session.
	Changed bool
}

// Trust in force for a session.
type Trust struct {
	// Defaults: the hints believed of a server that is not named.
	Defaults []Hint
	// Servers that are named.
	Servers []ServerTrust
}

// TrustChange believes or disbelieves hints of one MCP server.
type TrustChange struct {
	// Server key.
	Server string
	// Believe these hints.
	Believe []Hint
	// Disbelieve these hints.
	Disbelieve []Hint
}

// TrustChanged is what a change of trust does.
type TrustChanged struct {
	// Server key.
	Server string
	// Configured is true when the session has a server of this key.
	Configured bool
	// Trusted hints after the change.
	Trusted []Hint
	// Added hints: believed now and not before.
	Added []Hint
	// Removed hints: believed before and not now.
	Removed []Hint
	// Weakening: the removed hints without which a grant can be lost.
	Weakening []Hint
	// Invalidates: the grants that are lost at their tool's next call, if it describes itself as it does now.
	Invalidates []Grant
}

// ViewTrust shows which hints of which MCP server are believed in the session.
func (grants *Grants) ViewTrust(ctx context.Context) (*Trust, error) {
	request := &pb.ManageGrantsRequest{Operation: &pb.ManageGrantsRequest_ViewTrust{ViewTrust: &pb.ViewTrust{}}}
	answer, err := manage(ctx, grants, request, (*pb.ManageGrantsResponse).GetViewTrust)
	if err != nil {
		return nil, err
	}
	trust := &Trust{Defaults: hintWords(answer.GetDefaults())}
	for _, server := range answer.GetServers() {
		trust.Servers = append(trust.Servers, ServerTrust{
			Server: server.GetServer(), Trusted: hintWords(server.GetTrusted()),
			Configured: server.GetConfigured(), Changed: server.GetChanged(),
		})
	}
	return trust, nil
}

// ChangeTrust believes or disbelieves hints of an MCP server, for the session.
func (grants *Grants) ChangeTrust(ctx context.Context, change TrustChange) (*TrustChanged, error) {
	message, err := change.message("change_trust")
	if err != nil {
		return nil, err
	}
	request := &pb.ManageGrantsRequest{Operation: &pb.ManageGrantsRequest_ChangeTrust{ChangeTrust: message}}
	return trustChangedOf(manage(ctx, grants, request, (*pb.ManageGrantsResponse).GetChangeTrust))
}

// PredictTrust says what [Grants.ChangeTrust] would do, and does nothing.
func (grants *Grants) PredictTrust(ctx context.Context, change TrustChange) (*TrustChanged, error) {
	message, err := change.message("predict_trust")
	if err != nil {
		return nil, err
	}
	request := &pb.ManageGrantsRequest{Operation: &pb.ManageGrantsRequest_PredictTrust{PredictTrust: message}}
	return trustChangedOf(manage(ctx, grants, request, (*pb.ManageGrantsResponse).GetPredictTrust))
}

func (change TrustChange) message(field string) (*pb.TrustChange, error) {
	believe, err := hintNumbers(field+".believe", change.Believe)
	if err != nil {
		return nil, err
	}
	disbelieve, err := hintNumbers(field+".disbelieve", change.Disbelieve)
	if err != nil {
		return nil, err
	}
	return &pb.TrustChange{Server: change.Server, Believe: believe, Disbelieve: disbelieve}, nil
}

func hintNumbers(field string, hints []Hint) ([]pb.Hint, error) {
	numbers := make([]pb.Hint, 0, len(hints))
	for _, hint := range hints {
		read, err := number[pb.Hint](field, pb.Hint_value, "HINT_", string(hint))
		if err != nil {
			return nil, err
		}
		numbers = append(numbers, read)
	}
	return numbers, nil
}

func hintWords(hints []pb.Hint) []Hint {
	words := make([]Hint, 0, len(hints))
	for _, hint := range hints {
		words = append(words, word[Hint](hint, "HINT_"))
	}
	return words
}

func trustChangedOf(changed *pb.TrustChanged, err error) (*TrustChanged, error) {
	if err != nil {
		return nil, err
	}
	return &TrustChanged{
		Server:      changed.GetServer(),
		Configured:  changed.GetConfigured(),
		Trusted:     hintWords(changed.GetTrusted()),
		Added:       hintWords(changed.GetAdded()),
		Removed:     hintWords(changed.GetRemoved()),
		Weakening:   hintWords(changed.GetWeakening()),
		Invalidates: grantsOf(changed.GetInvalidates()),
	}, nil
}
