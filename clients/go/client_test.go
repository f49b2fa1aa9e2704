package haltgate_test

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	haltgate "github.com/haltgate/haltgate/clients/go"
)

func TestTheVersionIsThatOfTheServerInThisTree(t *testing.T) {
	manifest, err := os.ReadFile("../../Cargo.toml")
	must(t, err)
	found := regexp.MustCompile(`(?m)^version = "(.+)"$`).FindSubmatch(manifest)
	if found == nil || string(found[1]) != haltgate.Version {
		t.Errorf("the module is %s, the server is %s", haltgate.Version, found)
	}
}

func TestASocketIsAsGoodAsAPort(t *testing.T) {
	gate := serve(t, `{ "server": { "socket": "gate.sock" } }`)
	ctx := bounded(t)
	t.Setenv(haltgate.TargetVariable, "unix:"+filepath.Join(gate.folder, "gate.sock"))
	client := connect(t, "")
	info, err := client.ServerInfo(ctx)
	must(t, err)
	if info.Version != haltgate.Version || info.Ephemeral || info.StartedAt.IsZero() || info.PolicyRevision == "" {
		t.Errorf("not the server's: %+v", info)
	}
	decision, err := client.Session("s").DecideShell(ctx, "ls")
	must(t, err)
	if !decision.Approved() {
		t.Errorf("not approved: %+v", decision)
	}
}

func TestASessionIsOpenedChangedAndClosed(t *testing.T) {
	gate := serve(t, `{}`)
	ctx := bounded(t)
	client := gate.connect(haltgate.WithProject("shop"))
	closedWorld := true
	session, err := client.OpenSession(ctx,
		haltgate.WithSessionID("s"), haltgate.WithRung(haltgate.RungManual), haltgate.WithCwd("/work"),
		haltgate.WithHome("/home/ana"), haltgate.WithLabels(map[string]string{"team": "web"}),
		haltgate.WithMCPServers("jira"), haltgate.WithTools(haltgate.ToolDeclaration{
			RegisteredName: "mcp__jira__search", Annotations: haltgate.Hints{ReadOnly: &closedWorld},
		}))
	must(t, err)
	opened := session.Opened()
	if session.ID() != "s" || opened.Project != "shop" || opened.Rung != haltgate.RungManual || opened.Cwd != "/work" ||
		opened.Home != "/home/ana" || opened.Labels["team"] != "web" || opened.ToolCount != 1 || opened.Reopened ||
		!slices.Equal(opened.MCPServers, []string{"jira"}) || !opened.Interactive || !opened.Open {
		t.Errorf("not as it was asked for: %+v", opened)
	}
	updated, err := session.Update(ctx, haltgate.WithRung(haltgate.RungBypass), haltgate.WithoutLabels("team"), haltgate.WithCwd(""))
	must(t, err)
	if updated.Rung != haltgate.RungBypass || len(updated.Labels) != 0 || updated.Cwd != "" || updated.Home != "/home/ana" {
		t.Errorf("not changed: %+v", updated)
	}
	shown, err := session.Get(ctx)
	must(t, err)
	if shown.Rung != haltgate.RungBypass {
		t.Errorf("not as it stands: %+v", shown)
	}
	closed, err := session.Close(ctx)
	must(t, err)
	if closed.Open || closed.ClosedAt.IsZero() {
		t.Errorf("not closed: %+v", closed)
	}
	decision, err := session.DecideShell(ctx, "ls")
	var refused *haltgate.RefusedError
	if decision.Approved() || !errors.As(err, &refused) || refused.Reason != "SESSION_CLOSED" || refused.Metadata["session_id"] != "s" {
		t.Errorf("a closed session decides: %v, %v", decision, err)
	}
	if _, err := client.OpenSession(ctx, haltgate.WithRung("LOOSE")); !errors.As(err, new(*haltgate.InvalidRequestError)) {
		t.Errorf("a rung that is none is taken: %v", err)
	}
}

func TestEachKindOfCallIsDecidedAndRated(t *testing.T) {
	gate := serve(t, `{ "approvals": { "mode": "bypass", "gate_scope": "every_call", "deny": [
		{ "type": "mcpTool", "server": "jira", "matcher": "exact", "pattern": "delete" },
		{ "type": "tool", "matcher": "exact", "pattern": "deploy", "host": "prod.example" } ] },
		"mcpServers": { "jira": {} } }`)
	ctx := bounded(t)
	session := gate.connect().Session("s")
	prod := map[string]any{"url": "https://prod.example/?a=1&b=<2>"}
	cases := []struct {
		call     haltgate.Call
		approved bool
	}{
		{haltgate.Shell("echo hello"), true},
		{haltgate.Tool("deploy", nil), true},
		{haltgate.Tool("deploy", prod), false},
		{haltgate.MCP("jira", "search", nil), true},
		{haltgate.MCP("jira", "delete", prod), false},
		{haltgate.Registered("mcp__jira__delete", nil), false},
		{haltgate.Registered("deploy", prod), false},
	}
	for number, example := range cases {
		decision, err := session.Decide(ctx, example.call)
		must(t, err)
		if decision.Approved() != example.approved || (decision.MatchedRule == nil) != example.approved {
			t.Errorf("call %d: %+v", number, decision)
		}
		if rule := decision.MatchedRule; rule != nil && (rule.List != "DENY" || rule.Layer != "DECLARED" ||
			rule.Index == nil || rule.Entry.ObjectText == "" || decision.Message == "" || len(decision.FramedLines) == 0) {
			t.Errorf("call %d is not explained: %+v, %+v", number, decision, rule)
		}
	}
	rating, err := session.Rate(ctx, haltgate.Shell("npm publish"), haltgate.WithCwd("/work"))
	must(t, err)
	if rating.Outcome != haltgate.OutcomeCatastrophic || rating.Source != "BUILT_IN" || len(rating.FramedLines) == 0 {
		t.Errorf("not rated: %+v", rating)
	}
	_, err = gate.connect().Rate(ctx, haltgate.Shell("ls"), haltgate.WithProfile("none"))
	if refused := new(haltgate.RefusedError); !errors.As(err, &refused) || refused.Reason != "RATER_PROFILE_UNKNOWN" {
		t.Errorf("a profile that is none is taken: %v", err)
	}
}

func TestGrantsAndDenialsAreListedPageByPageAndTakenBack(t *testing.T) {
	gate := serve(t, manual)
	ctx := bounded(t)
	client := gate.connect()
	session, err := client.OpenSession(ctx)
	must(t, err)
	grants := session.Grants()
	shell := func(pattern string) haltgate.Entry {
		return haltgate.Entry{Type: haltgate.EntryShell, Matcher: haltgate.MatchExact, Pattern: pattern}
	}
	bounds := haltgate.WithTerms(haltgate.Terms{MaxUses: 2, Note: "for today"})
	id := haltgate.WithRequestID("grant-1")
	for range 2 {
		added, err := grants.Grant(ctx, shell("make one"), haltgate.ScopeSession, bounds, id)
		must(t, err)
		if added.AlreadyGranted || *added.UsesLeft != 2 || added.Terms.Note != "for today" || added.GrantedBy != "local" {
			t.Errorf("not as it was asked for, or not a replay: %+v", added)
		}
	}
	added, err := grants.Grant(ctx, shell("make one"), haltgate.ScopeSession)
	must(t, err)
	if !added.AlreadyGranted {
		t.Errorf("granted twice: %+v", added)
	}
	_, err = client.Grants().Grant(ctx, shell("make all"), haltgate.ScopeAlways)
	must(t, err)
	denied, err := grants.Deny(ctx, shell("make none"), haltgate.WithNote("never"))
	must(t, err)
	if denied.AlreadyDenied || denied.Note != "never" {
		t.Errorf("not as it was asked for: %+v", denied)
	}

	for command, approved := range map[string]bool{"make one": true, "make all": true, "make none": false} {
		decision, err := session.DecideShell(ctx, command)
		must(t, err)
		if decision.Approved() != approved {
			t.Errorf("%s: %+v", command, decision)
		}
	}
	listed := []string{}
	for item, err := range grants.List(ctx, haltgate.GrantFilter{PageSize: 1}) {
		must(t, err)
		if item.Grant != nil {
			listed = append(listed, "grant "+item.Grant.Entry.Pattern)
		} else {
			listed = append(listed, "denial "+item.Denial.Entry.Pattern)
		}
	}
	slices.Sort(listed)
	if !slices.Equal(listed, []string{"denial make none", "grant make all", "grant make one"}) {
		t.Errorf("listed %q", listed)
	}
	exported, err := client.Grants().Export(ctx)
	must(t, err)
	if exported.Grants != 1 {
		t.Errorf("exported %+v", exported)
	}
	revoked, err := client.Grants().Revoke(ctx, shell("make all"), "")
	must(t, err)
	if len(revoked) != 1 || revoked[0].Scope != haltgate.ScopeAlways {
		t.Errorf("revoked %+v", revoked)
	}
	imported, err := client.Grants().Import(ctx, exported.Content, haltgate.ImportSettings{})
	must(t, err)
	if len(imported.Grants) != 1 || imported.Grants[0].Entry.Pattern != "make all" {
		t.Errorf("imported %+v", imported)
	}
	lifted, err := grants.Lift(ctx, haltgate.ObjectText(denied.Entry.ObjectText))
	must(t, err)
	if lifted.Entry.Pattern != "make none" {
		t.Errorf("lifted %+v", lifted)
	}
	_, err = grants.Lift(ctx, denied.Entry)
	if refused := new(haltgate.RefusedError); !errors.As(err, &refused) || refused.Reason != "DENIAL_NOT_FOUND" {
		t.Errorf("lifted twice: %v", err)
	}
}

func TestTrustIsShownPredictedAndChanged(t *testing.T) {
	gate := serve(t, `{ "mcpServers": { "jira": {} } }`)
	ctx := bounded(t)
	session, err := gate.connect().OpenSession(ctx)
	must(t, err)
	change := haltgate.TrustChange{Server: "jira", Believe: []haltgate.Hint{haltgate.HintReadOnly}}
	predicted, err := session.Grants().PredictTrust(ctx, change)
	must(t, err)
	changed, err := session.Grants().ChangeTrust(ctx, change)
	must(t, err)
	for _, made := range []*haltgate.TrustChanged{predicted, changed} {
		if !made.Configured || !slices.Equal(made.Added, change.Believe) || !slices.Equal(made.Trusted, change.Believe) {
			t.Errorf("not what was asked for: %+v", made)
		}
	}
	trust, err := session.Grants().ViewTrust(ctx)
	must(t, err)
	if len(trust.Servers) != 1 || !trust.Servers[0].Changed || !slices.Equal(trust.Servers[0].Trusted, change.Believe) {
		t.Errorf("not as it was changed: %+v", trust)
	}
}

func TestRecordsAreListedOverAllPages(t *testing.T) {
	gate := serve(t, `{}`)
	ctx := bounded(t)
	client := gate.connect()
	for _, command := range []string{"ls", "pwd", "date"} {
		_, err := client.Session("s").DecideShell(ctx, command, haltgate.WithRequestID(command))
		must(t, err)
	}
	filter := haltgate.DecisionFilter{OldestFirst: true, PageSize: 1, Actions: []haltgate.Action{haltgate.Approve}}
	asked := []string{}
	for record, err := range client.ListDecisions(ctx, filter) {
		must(t, err)
		if record.Action != haltgate.Approve || record.SettledAt.IsZero() || record.Hash == "" {
			t.Errorf("not complete: %+v", record)
		}
		asked = append(asked, record.RequestID)
	}
	if !slices.Equal(asked, []string{"ls", "pwd", "date"}) {
		t.Errorf("listed %q", asked)
	}
	for _, err := range client.ListDecisions(ctx, haltgate.DecisionFilter{PageToken: "made-up"}) {
		var invalid *haltgate.InvalidRequestError
		if !errors.As(err, &invalid) || invalid.Reason != "PAGE_TOKEN_INVALID" {
			t.Errorf("a made-up token is taken: %v", err)
		}
	}
}
