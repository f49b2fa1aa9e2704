"""The policy of the gates that tests start, and what it makes of some commands. Knows nothing else."""

from __future__ import annotations

from typing import Any

POLICY: dict[str, Any] = {
    "approvals": {
        "mode": "assisted",
        "allow": [{"type": "shell", "matcher": "exact", "pattern": "git status"}],
        "deny": [{"type": "shell", "matcher": "glob", "pattern": "npm publish*"}],
        "escalate": [{"type": "shell", "matcher": "glob", "pattern": "deploy*"}],
    },
    "mcpServers": {"jira": {}},
}

APPROVED = "git status"
REJECTED = "npm publish"
ESCALATED = "deploy now"
ATTACK = "chmod 644 ~/.ssh/id_rsa"
