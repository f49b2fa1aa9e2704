"""haltgate for agents that LangChain and LangGraph run. Needs the extra: ``pip install 'haltgate[langchain]'``.

``GateMiddleware`` asks the gate before any tool runs, with nothing else to set up. ``InterruptGate`` answers the
interrupts of LangChain's ``HumanInTheLoopMiddleware``, for an agent that has it already.

Promises that a tool runs only after the gate approved exactly that call, and that a halted run ends with AttackHalted.
"""

from __future__ import annotations

try:
    from .interrupts import DecisionNotAllowed, InterruptGate
    from .middleware import GateMiddleware
    from .steps import DEFAULT_SHELL_TOOLS
except ModuleNotFoundError as error:
    if (error.name or "").partition(".")[0] not in ("langchain", "langchain_core", "langgraph"):
        raise
    raise ImportError("haltgate.langchain needs LangChain: pip install 'haltgate[langchain]'") from error

__all__ = ["DEFAULT_SHELL_TOOLS", "DecisionNotAllowed", "GateMiddleware", "InterruptGate"]
