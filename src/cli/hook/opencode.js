// haltgate: written by `haltgate hook opencode install`, and removed by `uninstall`.
// Asks the gate before OpenCode uses a tool. Nothing but an approval lets a call run.
import { spawn } from "node:child_process";

const COMMAND = __COMMAND__;
const TIMEOUT_MS = __TIMEOUT__;

const ask = (question) =>
  new Promise((resolve, reject) => {
    const hook = spawn("/bin/sh", ["-c", COMMAND], { stdio: ["pipe", "pipe", "pipe"] });
    const timer = setTimeout(() => hook.kill(), TIMEOUT_MS);
    const said = { out: "", err: "" };
    hook.stdout.on("data", (text) => (said.out += text));
    hook.stderr.on("data", (text) => (said.err += text));
    hook.stdin.on("error", () => {});
    hook.on("error", reject);
    hook.on("close", (code) => {
      clearTimeout(timer);
      if (code === 0) resolve(said.out);
      else reject(new Error(said.err.trim() || "haltgate: the hook did not run"));
    });
    hook.stdin.end(JSON.stringify(question));
  });

export const Haltgate = async ({ directory }) => ({
  "tool.execute.before": async (input, output) => {
    const answer = JSON.parse(
      await ask({
        hook_event_name: "PreToolUse",
        session_id: input.sessionID,
        tool_use_id: input.callID,
        cwd: directory,
        tool_name: input.tool,
        tool_input: output.args ?? {},
      }),
    );
    if (answer === null || typeof answer !== "object") throw new Error("haltgate: the hook gave no answer");
    const left = Object.keys(answer).length === 0;
    if (!left && answer.decision !== "allow") throw new Error(answer.reason || "haltgate refused the call");
  },
});
