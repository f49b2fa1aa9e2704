"""The trace that a request is part of.

Promises that a client without OpenTelemetry works as one with it. Knows nothing of requests.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from typing import Any


def _propagate() -> Any:
    try:
        return importlib.import_module("opentelemetry.propagate")
    except ImportError:
        return None


propagate = _propagate()
"""What carries the current trace; None without OpenTelemetry."""

Headers = Callable[[], Mapping[str, str]]
"""Called for each request; returns headers to send with it."""

TRACE = ("traceparent", "tracestate")
"""The headers of the W3C. What else a propagator carries is the application's own, and stays there."""


def current_trace() -> Mapping[str, str]:
    """Return the headers of the current trace, where OpenTelemetry is installed and there is one."""
    if propagate is None:
        return {}
    carrier: dict[str, str] = {}
    propagate.inject(carrier)
    return {name: carrier[name] for name in TRACE if name in carrier}
