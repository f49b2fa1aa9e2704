import assert from "node:assert/strict";
import { test } from "node:test";
import { create } from "@bufbuild/protobuf";
import { UnexpectedAnswer } from "@haltgate/client";
import { type DecideResponse, DecideResponseSchema } from "@haltgate/client/haltgate/v1/decision";
import { Action, Scope, Stage } from "@haltgate/client/haltgate/v1/vocabulary";
import { decisionOf } from "#dist/decision.js";
import { outOfReach } from "#dist/errors.js";
import { pauseAfter } from "#dist/pause.js";
import { targetOf } from "#dist/target.js";
import { nameOf, valueNamed } from "#dist/vocabulary.js";
import { Code, ConnectError } from "@connectrpc/connect";

type Answer = Partial<Pick<DecideResponse, keyof typeof approval | "escalationId" | "haltId">>;

const asked = { sessionId: "s", runId: "r", requestId: "q", dryRun: false };
const approval = {
  action: Action.APPROVE,
  stage: Stage.ALLOW_LIST,
  scope: Scope.SESSION,
  decisionId: "d",
  requestId: "q",
  sessionId: "s",
  runId: "r",
};
const read = (answer: Answer, dryRun = false) =>
  decisionOf({ ...asked, dryRun }, create(DecideResponseSchema, answer));

test("only a complete and known approval of the very call that was asked about approves", () => {
  assert.equal(read(approval).approved, true);
  for (const action of [Action.REJECT, Action.HALT, Action.UNATTENDED]) {
    assert.equal(read({ ...approval, action }).approved, false);
  }
  assert.equal(read({ ...approval, action: Action.ESCALATE, haltId: "h" }).approved, false);
  const wrong: Answer[] = [
    { action: Action.UNSPECIFIED },
    { action: 77 as Action },
    { stage: Stage.UNSPECIFIED },
    { stage: 77 as Stage },
    { scope: Scope.UNSPECIFIED },
    { scope: 77 as Scope },
    { decisionId: "" },
    { requestId: "" },
    { requestId: "other" },
    { sessionId: "other" },
    { runId: "other" },
    { action: Action.ESCALATE },
  ];
  for (const change of wrong) {
    assert.throws(() => read({ ...approval, ...change }), UnexpectedAnswer, JSON.stringify(change));
  }
  assert.throws(() => read({}), UnexpectedAnswer);
});

test("a dry run approves nothing", () => {
  assert.equal(read({ ...approval, decisionId: "" }, true).approved, false);
});

test("a name that is none is refused, and an unknown value has none", () => {
  assert.equal(nameOf(Action, 0), undefined);
  assert.equal(nameOf(Action, 77), undefined);
  assert.equal(nameOf(Action, 1), "APPROVE");
  assert.equal(valueNamed(Action, undefined), 0);
  assert.throws(() => valueNamed(Action, "1" as "APPROVE"), /none of APPROVE, REJECT/);
  assert.throws(() => valueNamed(Action, "toString" as "APPROVE"), TypeError);
});

test("a target is read as people write it", () => {
  const cases: [string, string | undefined, string | undefined, boolean?][] = [
    ["127.0.0.1:7557", "http://127.0.0.1:7557", undefined, false],
    ["localhost:7557", "http://localhost:7557", undefined, false],
    ["[::1]:7557", "http://[::1]:7557", undefined, false],
    ["gate.example:7557", "http://gate.example:7557", undefined, true],
    ["127.0.0.1.evil.example:7557", "http://127.0.0.1.evil.example:7557", undefined, true],
    ["http://gate.example", "http://gate.example", undefined, true],
    ["https://gate.example", "https://gate.example", undefined, false],
    ["unix:/run/gate.sock", "http://localhost", "/run/gate.sock", false],
    ["unix:///run/gate.sock", "http://localhost", "/run/gate.sock", false],
  ];
  for (const [text, baseUrl, socket, open] of cases) {
    assert.deepEqual(targetOf(text), { baseUrl, socket, open }, text);
  }
  for (const text of [
    "",
    "gate",
    "unix:",
    "unix:gate.sock",
    "ftp://gate:1",
    "http://gate/path",
    "http://me@gate:1",
    "gate:1/x",
  ]) {
    assert.throws(() => targetOf(text), /is no target/, text);
  }
});

test("pauses have a bound that doubles, and are not shorter than what the gate asks for", () => {
  const bounds = { first: 50, longest: 1_000, least: 0 };
  for (const [failures, most] of [
    [1, 50],
    [2, 100],
    [5, 800],
    [6, 1_000],
    [4_000, 1_000],
  ] as const) {
    assert.equal(pauseAfter(failures, bounds, 0, 1), most);
    assert.equal(pauseAfter(failures, bounds, 0, 0), 0);
  }
  assert.equal(pauseAfter(1, bounds, 3_000, 1), 3_000);
});

test("what a gate refuses is not asked again, and what a broken connection says is", () => {
  assert.equal(outOfReach(new ConnectError("gone", Code.Unavailable)), true);
  assert.equal(outOfReach(new ConnectError("reset", Code.Aborted)), true);
  for (const code of [
    Code.InvalidArgument,
    Code.FailedPrecondition,
    Code.PermissionDenied,
    Code.DeadlineExceeded,
  ]) {
    assert.equal(outOfReach(new ConnectError("no", code)), false);
  }
});
