"""A real gate in a folder of its own.

Promises that it listens when it is started and is gone when it is stopped. Knows nothing of the client.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import tempfile
import threading
from pathlib import Path
from types import TracebackType
from typing import Any

from typing_extensions import Self


class Gate:
    """A gate that can be killed and started again, at the same address and with the same store."""

    tokens: dict[str, str]
    """A token for each of the roles that it was made with, by the role."""

    def __init__(self, config: dict[str, Any], roles: tuple[str, ...] = ()) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="haltgate-test-")
        self.folder = Path(self._folder.name)
        (self.folder / "haltgate.jsonc").write_text(json.dumps(config), encoding="utf-8")
        self._process: subprocess.Popen[str] | None = None
        self._reader: threading.Thread | None = None
        self.address = "127.0.0.1:0"
        named = [(role, ("--name", role, "--role", role, "--project", "default")) for role in roles]
        self.tokens = {role: self.token("create", *options) for role, options in named}

    def token(self, command: str, *arguments: str) -> str:
        """Run ``haltgate token`` over tokens.json, and return what it prints."""
        program = [_program(), "token", command, "--file", "tokens.json", *arguments]
        done = subprocess.run(
            program, cwd=self.folder, env=_environment(), stdout=subprocess.PIPE, text=True, check=True
        )
        return done.stdout.strip()

    def start(self) -> None:
        with open(self.folder / "log", "ab") as log:
            self._process = subprocess.Popen(
                [_program(), "serve", "--listen", self.address],
                cwd=self.folder,
                env=_environment(),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )
        assert self._process.stdout is not None
        for line in self._process.stdout:
            words = line.split()
            if words and words[0] == "address":
                self.address = words[1]
                break
        else:
            raise RuntimeError("the gate did not start: " + (self.folder / "log").read_text(encoding="utf-8"))
        # What else it prints is read, so that it never waits for a reader.
        self._reader = threading.Thread(target=self._process.stdout.read, daemon=True)
        self._reader.start()

    def kill(self) -> None:
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        self._end(signal.SIGTERM)

    def pause(self) -> None:
        """Stop it from running, without ending it."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)

    def resume(self) -> None:
        assert self._process is not None
        self._process.send_signal(signal.SIGCONT)

    def _end(self, how: signal.Signals) -> None:
        process, self._process = self._process, None
        if process is not None:
            ended = process.poll()
            process.send_signal(how)
            process.wait()
            assert process.stdout is not None
            if self._reader is not None:
                self._reader.join()
            process.stdout.close()
            if ended is not None:
                log = (self.folder / "log").read_text(encoding="utf-8")
                raise RuntimeError(f"the gate ended by itself, with {ended}: {log}")

    def __enter__(self) -> Self:
        try:
            self.start()
        except BaseException:
            self._folder.cleanup()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.kill()
        self._folder.cleanup()


def _program() -> str:
    program = os.environ.get("HALTGATE_BIN")
    if not program:
        raise RuntimeError("set HALTGATE_BIN to the gate's program: target/debug/haltgate")
    return program


def _environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if not name.startswith("HALTGATE_")}
