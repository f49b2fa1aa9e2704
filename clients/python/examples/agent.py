"""An agent loop that asks the gate before every command. Start a gate with `haltgate serve`, then run this.

The model is a script, so that nothing but the gate is needed; put a real one in its place.
"""

from __future__ import annotations

import subprocess
import sys
import uuid

import haltgate

SCRIPT = ["git --version", "echo hello", "rm -rf /", "chmod 644 ~/.ssh/id_rsa", "echo never reached"]


def model(history: list[tuple[str, str]]) -> str | None:
    """Say the next command, or that the work is done."""
    return SCRIPT[len(history)] if len(history) < len(SCRIPT) else None


def run(command: str) -> str:
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=60, check=False)
    return done.stdout + done.stderr


def main() -> int:
    history: list[tuple[str, str]] = []
    with haltgate.connect() as gate, gate.open_session(cwd="/tmp", home="/home/me") as session:
        run_id = str(uuid.uuid4())
        try:
            while (command := model(history)) is not None:
                print(f"agent> {command}")
                # Waits for the human where one is asked.
                decision = session.decide_shell(command, run_id=run_id)
                result = run(command) if decision.approved else decision.message
                print(f"  {decision.action}: {result.strip()}")
                history.append((command, result))
        except haltgate.AttackHalted as halted:
            # The model is told nothing: the run is over.
            print("\n".join(halted.decision.framed_lines), file=sys.stderr)
            return 4
        except haltgate.Unattended as unattended:
            print(unattended, file=sys.stderr)
            return 5
    return 0


if __name__ == "__main__":
    sys.exit(main())
