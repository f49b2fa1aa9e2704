package haltgate

import (
	"google.golang.org/protobuf/proto"

	pb "github.com/haltgate/haltgate/clients/go/haltgate/v1"
)

// EntryType says which kind of call an entry speaks of.
type EntryType string

// The kinds of call.
const (
	// EntryShell names shell commands.
	EntryShell EntryType = "SHELL"
	// EntryTool names tools of the agent itself.
	EntryTool EntryType = "TOOL"
	// EntryMCPTool names tools of MCP servers.
	EntryMCPTool EntryType = "MCP_TOOL"
)

// Matcher says how an entry's pattern is compared.
type Matcher string

// The matchers.
const (
	// MatchExact: the pattern is the whole command or name.
	MatchExact Matcher = "EXACT"
	// MatchGlob: "*" stands for any run of characters.
	MatchGlob Matcher = "GLOB"
	// MatchRegexp: a regular expression, unanchored.
	MatchRegexp Matcher = "REGEXP"
	// MatchHint: the tool's effective annotations are compared with Hints.
	MatchHint Matcher = "HINT"
)

// Entry is one entry of a rule list. What is not set imposes no condition.
type Entry struct {
	// Type of the calls that it speaks of.
	Type EntryType
	// Matcher that compares.
	Matcher Matcher
	// Pattern to compare the command or the tool's name with. Not for [MatchHint].
	Pattern string
	// Hints to compare the effective annotations with. Only for [MatchHint].
	Hints Hints
	// Server key that the tool must belong to; "*" is every server. Only for [EntryMCPTool], and required there.
	Server string
	// Host that the call's arguments must name. Not for [EntryShell].
	Host string
	// Rate says whether a command that the entry lets through is still rated. Nil: the server's default.
	Rate *bool
}

func (entry Entry) message(field string) (*pb.Entry, error) {
	kind, err := number[pb.EntryType](field+".type", pb.EntryType_value, "ENTRY_TYPE_", string(entry.Type))
	if err != nil {
		return nil, err
	}
	matcher, err := number[pb.Matcher](field+".matcher", pb.Matcher_value, "MATCHER_", string(entry.Matcher))
	if err != nil {
		return nil, err
	}
	message := &pb.Entry{Type: kind, Matcher: matcher, Server: entry.Server, Host: entry.Host, Rate: entry.Rate}
	if entry.Matcher == MatchHint {
		message.SubjectPattern = &pb.Entry_Hints{Hints: entry.Hints.message()}
	} else {
		message.SubjectPattern = &pb.Entry_Pattern{Pattern: entry.Pattern}
	}
	return message, nil
}

// RenderedEntry is an entry with the two texts that humans know it by. Both are raw text.
type RenderedEntry struct {
	Entry
	// ObjectText is the entry as one would write it in a policy file. It names the entry exactly.
	ObjectText string
	// Summary in one line, as in "git push (glob)".
	Summary string
}

func renderedEntryOf(rendered *pb.RenderedEntry) RenderedEntry {
	entry := rendered.GetEntry()
	read := RenderedEntry{
		Entry: Entry{
			Type:    word[EntryType](entry.GetType(), "ENTRY_TYPE_"),
			Matcher: word[Matcher](entry.GetMatcher(), "MATCHER_"),
			Pattern: entry.GetPattern(),
			Hints:   hintsOf(entry.GetHints()),
			Server:  entry.GetServer(),
			Host:    entry.GetHost(),
		},
		ObjectText: rendered.GetObjectText(),
		Summary:    rendered.GetSummary(),
	}
	if entry != nil {
		read.Rate = entry.Rate
	}
	return read
}

func optionalEntryOf(rendered *pb.RenderedEntry) *RenderedEntry {
	if rendered == nil {
		return nil
	}
	read := renderedEntryOf(rendered)
	return &read
}

// Hints are the hints of the MCP tool annotations. A nil one was not declared, or is not compared.
type Hints struct {
	// ReadOnly: the tool changes nothing.
	ReadOnly *bool
	// Destructive: the tool may destroy what it changes.
	Destructive *bool
	// Idempotent: repeating a call changes nothing more.
	Idempotent *bool
	// OpenWorld: the tool reaches parties outside.
	OpenWorld *bool
}

func (hints Hints) message() *pb.ToolAnnotations {
	message := &pb.ToolAnnotations{
		ReadOnlyHint: hints.ReadOnly, DestructiveHint: hints.Destructive,
		IdempotentHint: hints.Idempotent, OpenWorldHint: hints.OpenWorld,
	}
	if proto.Size(message) == 0 {
		return nil
	}
	return message
}

func hintsOf(annotations *pb.ToolAnnotations) Hints {
	if annotations == nil {
		return Hints{}
	}
	return Hints{
		ReadOnly: annotations.ReadOnlyHint, Destructive: annotations.DestructiveHint,
		Idempotent: annotations.IdempotentHint, OpenWorld: annotations.OpenWorldHint,
	}
}
