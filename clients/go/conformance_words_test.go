package haltgate_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	haltgate "github.com/haltgate/haltgate/clients/go"
	pb "github.com/haltgate/haltgate/clients/go/haltgate/v1"
)

// How the words of a scenario become calls of the client, and results become the words of a scenario.

// arguments of a step.
type arguments object

func (with arguments) text(key string) string {
	text, _ := with[key].(string)
	return text
}

func (with arguments) texts(key string) []string {
	items, _ := with[key].([]any)
	texts := make([]string, 0, len(items))
	for _, item := range items {
		texts = append(texts, fmt.Sprint(item))
	}
	return texts
}

func (with arguments) object(key string) arguments {
	inner, _ := with[key].(object)
	return inner
}

func (with arguments) has(key string) bool { return with[key] != nil }

func (with arguments) number(key string) int32 {
	number, _ := with[key].(float64)
	return int32(number)
}

func (with arguments) labels() map[string]string {
	labels := map[string]string{}
	for key, value := range with {
		labels[key] = fmt.Sprint(value)
	}
	return labels
}

func words[Word ~string](texts []string) []Word {
	read := make([]Word, 0, len(texts))
	for _, text := range texts {
		read = append(read, Word(text))
	}
	return read
}

func (with arguments) hint(names ...string) *bool {
	for _, name := range names {
		if value, ok := with[name].(bool); ok {
			return &value
		}
	}
	return nil
}

func (with arguments) hints() haltgate.Hints {
	return haltgate.Hints{
		ReadOnly:    with.hint("readOnlyHint", "read_only_hint"),
		Destructive: with.hint("destructiveHint", "destructive_hint"),
		Idempotent:  with.hint("idempotentHint", "idempotent_hint"),
		OpenWorld:   with.hint("openWorldHint", "open_world_hint"),
	}
}

func (with arguments) entry() haltgate.Entry {
	kinds := map[string]haltgate.EntryType{
		"shell": haltgate.EntryShell, "tool": haltgate.EntryTool, "mcpTool": haltgate.EntryMCPTool,
	}
	return haltgate.Entry{
		Type: kinds[with.text("type")], Matcher: haltgate.Matcher(strings.ToUpper(with.text("matcher"))),
		Pattern: with.text("pattern"), Hints: with.object("pattern").hints(), Server: with.text("server"),
		Host: with.text("host"), Rate: with.hint("rate"),
	}
}

func (with arguments) entryName() haltgate.EntryName {
	if with.has("object_text") {
		return haltgate.ObjectText(with.text("object_text"))
	}
	return with.object("entry").entry()
}

func (with arguments) terms() haltgate.Terms {
	return haltgate.Terms{MaxUses: uint32(with.number("max_uses")), Note: with.text("note")}
}

// call is the call of a step, and the object that describes it.
func (with arguments) call() (haltgate.Call, arguments) {
	given := func(kind string) (arguments, map[string]any) {
		return with.object(kind), with.object(kind).object("arguments")
	}
	if called, _ := given("shell"); called != nil {
		return haltgate.Shell(called.text("command")), called
	}
	if called, arguments := given("tool"); called != nil {
		return haltgate.Tool(called.text("name"), arguments), called
	}
	if called, arguments := given("mcp_tool"); called != nil {
		return haltgate.MCP(called.text("server"), called.text("name"), arguments), called
	}
	if called, arguments := given("registered"); called != nil {
		return haltgate.Registered(called.text("name"), arguments), called
	}
	return haltgate.Call{}, nil
}

func (playing *player) decide(ctx context.Context, with arguments) (*haltgate.Decision, error) {
	call, called := with.call()
	options := []haltgate.DecideOption{
		haltgate.WithRunID(with.text("run_id")), haltgate.WithRequestID(with.text("request_id")),
		haltgate.WithCwd(called.text("cwd")), haltgate.WithHome(called.text("home")),
		haltgate.WithDialect(haltgate.Dialect(called.text("dialect"))),
		haltgate.WithJustification(called.text("justification")),
	}
	if with.has("max_wait_ms") {
		options = append(options, haltgate.WithMaxWait(time.Duration(with.number("max_wait_ms"))*time.Millisecond))
	}
	if with["wait"] == false {
		options = append(options, haltgate.WithoutWaiting())
	}
	if with["dry_run"] == true {
		options = append(options, haltgate.WithDryRun())
	}
	return playing.client.Session(with.text("session")).Decide(ctx, call, options...)
}

// sessionOptions are the options that opening and changing a session have in common.
func (with arguments) sessionOptions() []haltgate.SessionOption {
	options := []haltgate.SessionOption{haltgate.WithRung(haltgate.Rung(with.text("rung")))}
	if interactive, ok := with["interactive"].(bool); ok {
		options = append(options, haltgate.WithInteractive(interactive))
	}
	if with.has("cwd") {
		options = append(options, haltgate.WithCwd(with.text("cwd")))
	}
	if with.has("home") {
		options = append(options, haltgate.WithHome(with.text("home")))
	}
	if tools, ok := with["tools"].([]any); ok {
		declared := []haltgate.ToolDeclaration{}
		for _, tool := range tools {
			described := arguments(tool.(object))
			declared = append(declared, haltgate.ToolDeclaration{
				RegisteredName: described.text("registered_name"), Description: described.text("description"),
				Annotations: described.object("annotations").hints(),
			})
		}
		options = append(options, haltgate.WithTools(declared...))
	}
	if with.has("mcp_servers") {
		options = append(options, haltgate.WithMCPServers(with.texts("mcp_servers")...))
	}
	if with.has("user_messages") {
		options = append(options, haltgate.WithUserMessages(with.texts("user_messages")...))
	}
	return options
}

func (playing *player) openSession(ctx context.Context, with arguments) (*haltgate.SessionInfo, error) {
	options := []haltgate.OpenOption{
		haltgate.WithSessionID(with.text("session")), haltgate.WithCommand(with.text("command")),
		haltgate.WithLabels(with.object("labels").labels()),
	}
	for _, option := range with.sessionOptions() {
		options = append(options, option)
	}
	session, err := playing.client.OpenSession(ctx, options...)
	if err != nil {
		return nil, err
	}
	return session.Opened(), nil
}

func (playing *player) updateSession(ctx context.Context, with arguments) (*haltgate.SessionInfo, error) {
	options := []haltgate.UpdateOption{
		haltgate.WithLabels(with.object("labels").object("set").labels()),
		haltgate.WithoutLabels(with.object("labels").texts("remove")...),
	}
	for _, option := range with.sessionOptions() {
		options = append(options, option)
	}
	if with["reset_thread"] == true {
		options = append(options, haltgate.WithResetThread())
	}
	return playing.client.Session(with.text("session")).Update(ctx, options...)
}

func (playing *player) answer(ctx context.Context, with arguments) (any, error) {
	options := []haltgate.AnswerOption{
		haltgate.WithScope(haltgate.Scope(with.text("scope"))), haltgate.WithComment(with.text("comment")),
		haltgate.WithTerms(with.object("terms").terms()), haltgate.WithRequestID(with.text("request_id")),
	}
	verdict := haltgate.Verdict(with.text("verdict"))
	if with.has("halt_id") {
		return showing(showHalt)(playing.client.AnswerHalt(ctx, with.text("halt_id"), verdict, options...))
	}
	return showing(showEscalation)(playing.client.AnswerEscalation(ctx, with.text("escalation_id"), verdict, options...))
}

// showing shows what a call of the client returned.
func showing[Result any](show func(Result) object) func(Result, error) (any, error) {
	return func(result Result, err error) (any, error) {
		if err != nil {
			return nil, err
		}
		return show(result), nil
	}
}

func (playing *player) ask(ctx context.Context, operation string, with arguments) (any, error) {
	session := playing.client.Session(with.text("session"))
	grants := session.Grants()
	id := haltgate.WithRequestID(with.text("request_id"))
	change := haltgate.TrustChange{
		Server: with.text("server"), Believe: words[haltgate.Hint](with.texts("believe")),
		Disbelieve: words[haltgate.Hint](with.texts("disbelieve")),
	}
	switch operation {
	case "open_session":
		return showing(showSession)(playing.openSession(ctx, with))
	case "update_session":
		return showing(showSession)(playing.updateSession(ctx, with))
	case "close_session":
		return showing(showSession)(session.Close(ctx))
	case "rate":
		return playing.rate(ctx, session, with)
	case "answer":
		return playing.answer(ctx, with)
	case "list_grants":
		return listGrants(ctx, grants, with)
	case "grant":
		return showing(func(added *haltgate.Added) object {
			return object{"grant": showGrant(added.Grant), "already_granted": added.AlreadyGranted}
		})(grants.Grant(ctx, with.object("entry").entry(), haltgate.Scope(with.text("scope")),
			haltgate.WithTerms(with.object("terms").terms()), id))
	case "deny":
		return showing(func(denied *haltgate.Denied) object {
			return object{"denial": showDenial(denied.Denial), "already_denied": denied.AlreadyDenied}
		})(grants.Deny(ctx, with.object("entry").entry(), haltgate.WithNote(with.text("note")), id))
	case "revoke":
		return showing(func(revoked []haltgate.Grant) object { return object{"revoked": showGrants(revoked)} })(
			grants.Revoke(ctx, with.entryName(), haltgate.Scope(with.text("scope"))))
	case "lift":
		return showing(func(lifted *haltgate.Denial) object { return object{"lifted": showDenial(*lifted)} })(
			grants.Lift(ctx, with.entryName()))
	case "view_trust":
		return showing(showTrust)(grants.ViewTrust(ctx))
	case "change_trust":
		return showing(showChange)(grants.ChangeTrust(ctx, change))
	case "predict_trust":
		return showing(showChange)(grants.PredictTrust(ctx, change))
	case "import_grants":
		settings := haltgate.ImportSettings{DryRun: with["dry_run"] == true}
		return showing(showImport)(playing.client.Grants().Import(ctx, with.text("content"), settings))
	case "export_grants":
		return showing(func(exported *haltgate.Exported) object {
			return object{"content": exported.Content, "grants": exported.Grants, "skipped": exported.Skipped}
		})(playing.client.Grants().Export(ctx))
	case "list_decisions":
		return playing.listDecisions(ctx, with)
	case "server_info":
		return showing(func(info *haltgate.ServerInfo) object {
			return object{
				"version": info.Version, "contract_version": info.ContractVersion,
				"policy_revision": info.PolicyRevision, "ephemeral": info.Ephemeral,
			}
		})(playing.client.ServerInfo(ctx))
	}
	playing.t.Fatalf("there is no operation %s", operation)
	return nil, nil
}

func (playing *player) rate(ctx context.Context, session *haltgate.Session, with arguments) (any, error) {
	call, called := with.call()
	options := []haltgate.RateOption{
		haltgate.WithProfile(with.text("profile")), haltgate.WithCwd(called.text("cwd")),
		haltgate.WithHome(called.text("home")), haltgate.WithDialect(haltgate.Dialect(called.text("dialect"))),
	}
	if with["fresh"] == true {
		options = append(options, haltgate.WithFreshRating())
	}
	return showing(func(rated *haltgate.RateResult) object { return showRating(&rated.Rating) })(
		session.Rate(ctx, call, options...))
}

func listGrants(ctx context.Context, grants *haltgate.Grants, with arguments) (any, error) {
	granted, denied := []object{}, []object{}
	filter := haltgate.GrantFilter{
		Scopes: words[haltgate.Scope](with.texts("scopes")), Text: with.text("text"), PageSize: with.number("page_size"),
	}
	for item, err := range grants.List(ctx, filter) {
		switch {
		case err != nil:
			return nil, err
		case item.Grant != nil:
			granted = append(granted, showGrant(*item.Grant))
		case item.Denial != nil:
			denied = append(denied, showDenial(*item.Denial))
		}
	}
	return object{"grants": granted, "denials": denied}, nil
}

func (playing *player) listDecisions(ctx context.Context, with arguments) (any, error) {
	filter := haltgate.DecisionFilter{
		SessionID: with.text("session"), RunID: with.text("run_id"), Text: with.text("text"),
		Actions: words[haltgate.Action](with.texts("actions")), Stages: words[haltgate.Stage](with.texts("stages")),
		OldestFirst: with.text("order") == "OLDEST_FIRST", PageSize: with.number("page_size"),
		PageToken: with.text("page_token"),
	}
	records := []object{}
	for record, err := range playing.client.ListDecisions(ctx, filter) {
		if err != nil {
			return nil, err
		}
		records = append(records, showRecord(record))
	}
	return object{"decisions": records}, nil
}

func showDecision(decision *haltgate.Decision) object {
	codes := []string{}
	for _, notice := range decision.Notices {
		codes = append(codes, notice.Code)
	}
	shown := object{
		"approved": decision.Approved(), "action": decision.Action, "stage": decision.Stage, "scope": decision.Scope,
		"message": decision.Message, "decision_id": decision.DecisionID, "request_id": decision.RequestID,
		"escalation_id": decision.EscalationID, "halt_id": decision.HaltID, "run_halted": decision.RunHalted,
		"replayed": decision.Replayed, "rung": decision.Rung, "policy_revision": decision.PolicyRevision,
		"rating": showRating(decision.Rating), "notices": codes, "human": showHuman(decision.Human),
		"budget": object{
			"consecutive_rejections": decision.Budget.ConsecutiveRejections,
			"rejections_since_human": decision.Budget.RejectionsSinceHuman,
		},
	}
	if rule := decision.MatchedRule; rule != nil {
		shown["rule"] = object{"list": rule.List, "layer": rule.Layer, "entry": showEntry(&rule.Entry)}
	}
	if decision.DryRun {
		shown["rating_needed"] = decision.Raw.GetExplanation().GetRatingNeeded()
	}
	return shown
}

func showRating(rating *haltgate.Rating) object {
	if rating == nil {
		return nil
	}
	return object{"outcome": rating.Outcome, "source": rating.Source, "cause": rating.Cause, "reason": rating.Reason}
}

func showHuman(human *haltgate.HumanAnswer) object {
	if human == nil {
		return nil
	}
	return object{
		"verdict": human.Verdict, "scope": human.Scope, "comment": human.Comment, "answered_by": human.AnsweredBy,
		"stored": showEntry(human.Stored),
	}
}

func showEntry(entry *haltgate.RenderedEntry) any {
	if entry == nil {
		return nil
	}
	var written any
	if err := json.Unmarshal([]byte(entry.ObjectText), &written); err != nil {
		return err.Error()
	}
	return written
}

func showEscalation(escalation *haltgate.Escalation) object {
	shown := object{
		"escalation_id": escalation.EscalationID, "decision_id": escalation.DecisionID,
		"session_id": escalation.SessionID, "run_id": escalation.RunID, "request_id": escalation.RequestID,
		"state": escalation.State, "rung": escalation.Rung, "stage": escalation.Stage,
		"command": command(escalation.Raw.GetCall()), "rating": showRating(escalation.Rating),
		"answer": showHuman(escalation.Answer),
		"offer": object{
			"approve_scopes": escalation.Offer.ApproveScopes, "reject_scopes": escalation.Offer.RejectScopes,
			"grant": showEntry(escalation.Offer.Grant), "denial": showEntry(escalation.Offer.Denial),
		},
	}
	if negotiation := escalation.Raw.GetNegotiation(); negotiation != nil {
		shown["rounds"] = len(negotiation.GetRounds())
	}
	return shown
}

func showHalt(halt *haltgate.AttackHalt) object {
	return object{
		"halt_id": halt.HaltID, "decision_id": halt.DecisionID, "session_id": halt.SessionID, "run_id": halt.RunID,
		"request_id": halt.RequestID, "state": halt.State, "rung": halt.Rung, "stage": halt.Stage,
		"command": command(halt.Raw.GetCall()), "rating": showRating(halt.Rating), "answer": showHuman(halt.Answer),
	}
}

func command(call *pb.Call) string { return call.GetShell().GetCommand() }

func showSession(session *haltgate.SessionInfo) object {
	state := "CLOSED"
	if session.Open {
		state = "OPEN"
	}
	return object{
		"session_id": session.SessionID, "state": state, "rung": session.Rung, "interactive": session.Interactive,
		"command": session.Command, "labels": session.Labels, "cwd": session.Cwd, "home": session.Home,
		"mcp_servers": list(session.MCPServers), "tool_count": session.ToolCount, "halted_runs": list(session.HaltedRuns),
		"open_escalations": session.OpenEscalations,
	}
}

// list is never null.
func list[Item any](items []Item) []Item { return append([]Item{}, items...) }

func showGrant(grant haltgate.Grant) object {
	shown := object{
		"session_id": grant.SessionID, "scope": grant.Scope, "entry": showEntry(&grant.Entry),
		"object_text": grant.Entry.ObjectText, "granted_by": grant.GrantedBy, "note": grant.Terms.Note,
	}
	if grant.UsesLeft != nil {
		shown["uses_left"], shown["max_uses"] = *grant.UsesLeft, grant.Terms.MaxUses
	}
	return shown
}

func showGrants(grants []haltgate.Grant) []object {
	shown := []object{}
	for _, grant := range grants {
		shown = append(shown, showGrant(grant))
	}
	return shown
}

func showDenial(denial haltgate.Denial) object {
	return object{
		"session_id": denial.SessionID, "entry": showEntry(&denial.Entry), "object_text": denial.Entry.ObjectText,
		"denied_by": denial.DeniedBy, "note": denial.Note,
	}
}

func showTrust(trust *haltgate.Trust) object {
	servers := []object{}
	for _, server := range trust.Servers {
		servers = append(servers, object{
			"server": server.Server, "trusted": list(server.Trusted), "configured": server.Configured, "changed": server.Changed,
		})
	}
	return object{"defaults": list(trust.Defaults), "servers": servers}
}

func showChange(change *haltgate.TrustChanged) object {
	return object{
		"server": change.Server, "configured": change.Configured, "trusted": change.Trusted, "added": change.Added,
		"removed": change.Removed, "weakening": change.Weakening, "invalidates": showGrants(change.Invalidates),
	}
}

func showImport(imported *haltgate.Imported) object {
	dropped := []object{}
	for _, item := range imported.Dropped {
		dropped = append(dropped, object{"index": item.Index, "reason": item.Reason})
	}
	return object{
		"imported": showGrants(imported.Grants), "already_granted": imported.AlreadyGranted, "dropped": dropped,
		"file_version": imported.FileVersion,
	}
}

func showRecord(record *haltgate.DecisionRecord) object {
	return object{
		"decision_id": record.DecisionID, "record_id": record.RecordID, "session_id": record.SessionID,
		"run_id": record.RunID, "request_id": record.RequestID, "action": record.Action, "stage": record.Stage,
		"scope": record.Scope, "human_involvement": record.HumanInvolvement, "human": showHuman(record.Human),
		"rating": showRating(record.Rating), "escalation_id": record.EscalationID, "halt_id": record.HaltID,
		"command": command(record.Raw.GetCall()),
	}
}
