// Package haltgate asks a haltgate server whether an AI agent's call may run, before it runs.
//
//	gate, err := haltgate.Connect("127.0.0.1:7557")
//	session := gate.Session("conversation-1")
//	decision, err := session.DecideShell(ctx, "cargo test")
//	if decision.Approved() {
//		// Run it, once.
//	}
//
// A call may run only when [Decision.Approved] says so. Every error of this package is "not approved", and matches
// [ErrNotApproved]; a nil decision is not approved either. A refusal is no error: it is a decision whose Message is
// what the model gets as the result of its call. A run that must end is an error, so that nobody takes it for a
// refusal: [AttackHaltedError] and [UnattendedError], which carry the decision.
//
// A decision that a human must make is waited for, without a limit unless the context or [WithMaxWait] sets one, across
// restarts of the server, and always under one request id: a call is decided once.
//
// All methods may be called by several goroutines at once.
package haltgate

// Version of this module. It is the version of the server that it was made with.
const Version = "0.1.0"
