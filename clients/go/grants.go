package haltgate

import (
	"context"
	"fmt"
	"iter"
	"time"

	pb "github.com/haltgate/haltgate/clients/go/haltgate/v1"
)

// Grant is what a human allowed.
type Grant struct {
	// Project that it belongs to.
	Project string
	// SessionID that it holds in. Empty: in every session of the project.
	SessionID string
	// Scope: [ScopeSession] or [ScopeAlways].
	Scope Scope
	// Entry that was granted.
	Entry RenderedEntry
	// GrantedAt is when.
	GrantedAt time.Time
	// GrantedBy names who.
	GrantedBy string
	// Terms that bound it.
	Terms Terms
	// UsesLeft of its terms. Nil when uses are not limited.
	UsesLeft *uint32
	// LastUsedAt is when it last let a call through. Zero: never.
	LastUsedAt time.Time
}

// Denial is what a human refused for a session.
type Denial struct {
	// Project that the session belongs to.
	Project string
	// SessionID that it holds in.
	SessionID string
	// Entry that was refused.
	Entry RenderedEntry
	// DeniedAt is when.
	DeniedAt time.Time
	// DeniedBy names who.
	DeniedBy string
	// Note for people.
	Note string
}

// Listed is a grant or a denial: exactly one of the two.
type Listed struct {
	// Grant, or nil.
	Grant *Grant
	// Denial, or nil.
	Denial *Denial
}

// Imported is what became of a file of grants.
type Imported struct {
	// Grants that were taken over. In a dry run: that would be.
	Grants []Grant
	// AlreadyGranted is how many items were granted before.
	AlreadyGranted uint32
	// Dropped items, with the reason.
	Dropped []DroppedItem
	// FileVersion that was read.
	FileVersion uint32
	// Notices about the import.
	Notices []Notice
}

// DroppedItem is an item of a file that is not a grant.
type DroppedItem struct {
	// Index in its list, from 0.
	Index uint32
	// Reason in one sentence.
	Reason string
}

// Exported is a file of grants.
type Exported struct {
	// Content of the file: JSON text.
	Content string
	// Grants is how many it holds.
	Grants uint32
	// Skipped is how many were left out, since the format cannot say their bounds.
	Skipped uint32
}

// Grants are the grants and denials of a project, or of a project and one of its sessions.
type Grants struct {
	client    *Client
	sessionID string
}

// Grants of the project.
func (client *Client) Grants() *Grants { return &Grants{client: client} }

// Grants of the session and of its project, and the session's denials and trust.
func (session *Session) Grants() *Grants {
	return &Grants{client: session.client, sessionID: session.id}
}

// GrantFilter narrows a list. The zero value lists everything.
type GrantFilter struct {
	// Scopes to list. Empty: all.
	Scopes []Scope
	// Text that the entry's summary must contain, without regard to case.
	Text string
	// PageSize of the requests. Zero: the server's.
	PageSize int32
}

// List yields the grants, then the denials, each in the order added. An error ends it.
func (grants *Grants) List(ctx context.Context, filter GrantFilter) iter.Seq2[Listed, error] {
	return func(yield func(Listed, error) bool) {
		scopes, err := scopeNumbers("list.scopes", filter.Scopes)
		if err != nil {
			yield(Listed{}, err)
			return
		}
		for token := ""; ; {
			list := &pb.ListGrants{Scopes: scopes, Text: filter.Text, PageSize: filter.PageSize, PageToken: token}
			request := &pb.ManageGrantsRequest{Operation: &pb.ManageGrantsRequest_List{List: list}}
			answer, err := manage(ctx, grants, request, (*pb.ManageGrantsResponse).GetList)
			if err != nil {
				yield(Listed{}, err)
				return
			}
			for _, grant := range answer.GetGrants() {
				read := grantOf(grant)
				if !yield(Listed{Grant: &read}, nil) {
					return
				}
			}
			for _, denial := range answer.GetDenials() {
				read := denialOf(denial)
				if !yield(Listed{Denial: &read}, nil) {
					return
				}
			}
			if token = answer.GetNextPageToken(); token == "" {
				return
			}
		}
	}
}

type grantSettings struct {
	terms     Terms
	note      string
	requestID string
}

// GrantOption says more about a change of grants and denials.
type GrantOption interface {
	applyGrant(*grantSettings)
}

type grantOption func(*grantSettings)

func (option grantOption) applyGrant(settings *grantSettings) { option(settings) }

// WithNote says something about a denial to people.
func WithNote(note string) GrantOption {
	return grantOption(func(settings *grantSettings) { settings.note = note })
}

func grantSettingsOf(options []GrantOption) grantSettings {
	settings := grantSettings{}
	for _, option := range options {
		option.applyGrant(&settings)
	}
	return settings
}

// Added is a grant that is in force.
type Added struct {
	Grant
	// AlreadyGranted is true when it was granted before; then it stays as it was.
	AlreadyGranted bool
}

// Denied is a denial that is in force.
type Denied struct {
	Denial
	// AlreadyDenied is true when it was refused before; then it stays as it was.
	AlreadyDenied bool
}

// Grant adds a grant for the session or, with [ScopeAlways], for the project.
func (grants *Grants) Grant(ctx context.Context, entry Entry, scope Scope, options ...GrantOption) (*Added, error) {
	settings := grantSettingsOf(options)
	message, err := entry.message("grant.entry")
	if err != nil {
		return nil, err
	}
	reach, err := scope.number("grant.scope")
	if err != nil {
		return nil, err
	}
	add := &pb.AddGrant{Entry: message, Scope: reach, Terms: settings.terms.message()}
	request := &pb.ManageGrantsRequest{RequestId: settings.requestID, Operation: &pb.ManageGrantsRequest_Grant{Grant: add}}
	answer, err := manage(ctx, grants, request, (*pb.ManageGrantsResponse).GetGrant)
	if err != nil {
		return nil, err
	}
	return &Added{Grant: grantOf(answer.GetGrant()), AlreadyGranted: answer.GetAlreadyGranted()}, nil
}

// Deny adds a denial for the session.
func (grants *Grants) Deny(ctx context.Context, entry Entry, options ...GrantOption) (*Denied, error) {
	settings := grantSettingsOf(options)
	message, err := entry.message("deny.entry")
	if err != nil {
		return nil, err
	}
	add := &pb.AddDenial{Entry: message, Note: settings.note}
	request := &pb.ManageGrantsRequest{RequestId: settings.requestID, Operation: &pb.ManageGrantsRequest_Deny{Deny: add}}
	answer, err := manage(ctx, grants, request, (*pb.ManageGrantsResponse).GetDeny)
	if err != nil {
		return nil, err
	}
	return &Denied{Denial: denialOf(answer.GetDenial()), AlreadyDenied: answer.GetAlreadyDenied()}, nil
}

// EntryName names an entry: an [Entry], or the [ObjectText] that it was listed with.
type EntryName interface {
	name(field string) (*pb.Entry, string, error)
}

// ObjectText is an entry's text, exactly as it was listed.
type ObjectText string

func (text ObjectText) name(string) (*pb.Entry, string, error) { return nil, string(text), nil }

func (entry Entry) name(field string) (*pb.Entry, string, error) {
	message, err := entry.message(field)
	return message, "", err
}

// Revoke removes the grants of an entry. An empty scope is the session's grant and the project's, whichever there is.
func (grants *Grants) Revoke(ctx context.Context, entry EntryName, scope Scope) ([]Grant, error) {
	message, text, err := entry.name("revoke.entry")
	if err != nil {
		return nil, err
	}
	reach, err := scope.number("revoke.scope")
	if err != nil {
		return nil, err
	}
	revoke := &pb.RevokeGrant{Scope: reach, Target: &pb.RevokeGrant_ObjectText{ObjectText: text}}
	if message != nil {
		revoke.Target = &pb.RevokeGrant_Entry{Entry: message}
	}
	request := &pb.ManageGrantsRequest{Operation: &pb.ManageGrantsRequest_Revoke{Revoke: revoke}}
	answer, err := manage(ctx, grants, request, (*pb.ManageGrantsResponse).GetRevoke)
	if err != nil {
		return nil, err
	}
	return grantsOf(answer.GetRevoked()), nil
}

// Lift removes a denial of the session.
func (grants *Grants) Lift(ctx context.Context, entry EntryName) (*Denial, error) {
	message, text, err := entry.name("lift.entry")
	if err != nil {
		return nil, err
	}
	lift := &pb.LiftDenial{Target: &pb.LiftDenial_ObjectText{ObjectText: text}}
	if message != nil {
		lift.Target = &pb.LiftDenial_Entry{Entry: message}
	}
	request := &pb.ManageGrantsRequest{Operation: &pb.ManageGrantsRequest_Lift{Lift: lift}}
	answer, err := manage(ctx, grants, request, (*pb.ManageGrantsResponse).GetLift)
	if err != nil {
		return nil, err
	}
	read := denialOf(answer.GetLifted())
	return &read, nil
}

// ImportSettings say more about an import.
type ImportSettings struct {
	// FileModifiedAt is the time that grants without one are taken to be granted at. Zero: now.
	FileModifiedAt time.Time
	// DryRun reports what would be taken over, and stores nothing.
	DryRun bool
}

// Import adds the grants of a "shell-allowlist.json" to the project.
func (grants *Grants) Import(ctx context.Context, content string, settings ImportSettings) (*Imported, error) {
	file := &pb.ImportGrants{
		Content: content, FileModifiedAt: timestamp(settings.FileModifiedAt), DryRun: settings.DryRun,
	}
	request := &pb.ManageGrantsRequest{Operation: &pb.ManageGrantsRequest_ImportFile{ImportFile: file}}
	var notices []*pb.Notice
	answer, err := manage(ctx, grants, request, func(answer *pb.ManageGrantsResponse) *pb.GrantsImported {
		notices = answer.GetNotices()
		return answer.GetImportFile()
	})
	if err != nil {
		return nil, err
	}
	imported := &Imported{
		Grants:         grantsOf(answer.GetImported()),
		AlreadyGranted: answer.GetAlreadyGranted(),
		FileVersion:    answer.GetFileVersion(),
		Notices:        noticesOf(notices),
	}
	for _, dropped := range answer.GetDropped() {
		imported.Dropped = append(imported.Dropped, DroppedItem{Index: dropped.GetIndex(), Reason: dropped.GetReason()})
	}
	return imported, nil
}

// Export writes the project's grants as a "shell-allowlist.json".
func (grants *Grants) Export(ctx context.Context) (*Exported, error) {
	request := &pb.ManageGrantsRequest{Operation: &pb.ManageGrantsRequest_ExportFile{ExportFile: &pb.ExportGrants{}}}
	answer, err := manage(ctx, grants, request, (*pb.ManageGrantsResponse).GetExportFile)
	if err != nil {
		return nil, err
	}
	return &Exported{Content: answer.GetContent(), Grants: answer.GetGrants(), Skipped: answer.GetSkipped()}, nil
}

// manage performs one operation and takes its own result out of the answer.
func manage[Result any](
	ctx context.Context, grants *Grants, request *pb.ManageGrantsRequest,
	result func(*pb.ManageGrantsResponse) *Result,
) (*Result, error) {
	request.Project = grants.client.project
	request.SessionId = grants.sessionID
	if request.RequestId == "" {
		request.RequestId = newRequestID()
	}
	answer, err := invoke(ctx, grants.client, repeatable, grants.client.stub.ManageGrants, request)
	if err != nil {
		return nil, err
	}
	read := result(answer)
	if read == nil {
		return nil, &UnexpectedAnswerError{Field: "result", Problem: fmt.Sprintf("is %T, of another operation", answer.GetResult())}
	}
	return read, nil
}

func scopeNumbers(field string, scopes []Scope) ([]pb.Scope, error) {
	numbers := make([]pb.Scope, 0, len(scopes))
	for _, scope := range scopes {
		read, err := scope.number(field)
		if err != nil {
			return nil, err
		}
		numbers = append(numbers, read)
	}
	return numbers, nil
}

func grantOf(grant *pb.Grant) Grant {
	read := Grant{
		Project:    grant.GetProject(),
		SessionID:  grant.GetSessionId(),
		Scope:      scopeOf(grant.GetScope()),
		Entry:      renderedEntryOf(grant.GetEntry()),
		GrantedAt:  moment(grant.GetGrantedAt()),
		GrantedBy:  grant.GetGrantedBy(),
		Terms:      termsOf(grant.GetTerms()),
		LastUsedAt: moment(grant.GetLastUsedAt()),
	}
	if grant != nil {
		read.UsesLeft = grant.UsesLeft
	}
	return read
}

func grantsOf(grants []*pb.Grant) []Grant {
	read := make([]Grant, 0, len(grants))
	for _, grant := range grants {
		read = append(read, grantOf(grant))
	}
	return read
}

func denialOf(denial *pb.Denial) Denial {
	return Denial{
		Project:   denial.GetProject(),
		SessionID: denial.GetSessionId(),
		Entry:     renderedEntryOf(denial.GetEntry()),
		DeniedAt:  moment(denial.GetDeniedAt()),
		DeniedBy:  denial.GetDeniedBy(),
		Note:      denial.GetNote(),
	}
}
