"""Makes the blocking client from the one for asyncio, so that the two cannot come apart.

Promises the same code without what waits: every word of asyncio has one word for it. `transport` is written twice,
since there the two differ. Run by ./twin; with --check it changes nothing and fails where something differs.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

PACKAGE = Path(__file__).parent.parent / "src/haltgate"
RUFF = Path(sys.executable).parent / "ruff"
TWINS = ["client", "feed", "grants", "session"]

WORDS = [
    (r"\basync (def|for|with)\b", r"\1"),
    (r"\bawait ", ""),
    (r"\b__a(iter|next|enter|exit)__", r"__\1__"),
    (r"\bStopAsyncIteration\b", "StopIteration"),
    (r"\bAsync(?=[A-Z])", ""),
    (r"\basync_", ""),
    (r"\bAwaitable\[None\]", "None"),
    (r"\bAwaitable, ", ""),
]


def twin(source: str, name: str) -> str:
    for pattern, replacement in WORDS:
        source = re.sub(pattern, replacement, source)
    source = f"# Made from _async/{name}.py by ./twin: do not edit.\n{source}"
    # Shorter words sort and break differently.
    for arguments in (["check", "--quiet", "--select", "I", "--fix-only"], ["format", "--quiet"]):
        ruff = [RUFF, *arguments, f"--stdin-filename={PACKAGE}/_sync/{name}.py", "-"]
        source = subprocess.run(ruff, input=source, capture_output=True, check=True, text=True).stdout
    return source


def main(check: bool) -> int:
    status = 0
    for name in TWINS:
        made = twin((PACKAGE / f"_async/{name}.py").read_text(encoding="utf-8"), name)
        target = PACKAGE / f"_sync/{name}.py"
        if check and (not target.exists() or target.read_text(encoding="utf-8") != made):
            print(f"{target.name} of the blocking client is not current: run clients/python/twin", file=sys.stderr)
            status = 1
        elif not check:
            target.write_text(made, encoding="utf-8")
    return status


if __name__ == "__main__":
    sys.exit(main("--check" in sys.argv[1:]))
