"""The package as others get it, and what its README promises."""

from __future__ import annotations

import email
import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

from support.gate import Gate

PACKAGE = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    # With the backend that is locked: nothing is fetched. The wheel is made of what an sdist holds.
    build = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(PACKAGE)]
    done = subprocess.run(build, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    (wheel,) = folder.glob("*.whl")
    return wheel


def python(*arguments: str, path: Path, **environment: str) -> str:
    """Run Python with one folder of modules beside those that are installed."""
    done = subprocess.run(
        [sys.executable, *arguments],
        env={**os.environ, "PYTHONPATH": str(path), **environment},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_wheel_says_what_it_is_and_needs_no_generator(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        (metadata,) = [name for name in names if name.endswith(".dist-info/METADATA")]
        said = email.message_from_bytes(archive.read(metadata))
    assert (said["Name"], said["License-Expression"]) == ("haltgate", "MIT OR Apache-2.0")
    assert said["Requires-Python"] == ">=3.10"
    assert sorted(said.get_all("License-File", [])) == ["LICENSE-APACHE", "LICENSE-MIT"]
    assert sorted(said.get_all("Requires-Dist", [])) == [
        "googleapis-common-protos<2,>=1.70",
        "grpcio>=1.73.1",
        "langchain<2,>=1.0; extra == 'langchain'",
        "protobuf<8,>=6.31",
    ]
    assert "haltgate/py.typed" in names
    assert "haltgate/v1/decision_pb2.pyi" in names
    # Nothing is put beside the package.
    assert {name.split("/")[0] for name in names} == {"haltgate", metadata.split("/")[0]}


def test_the_wheel_works_without_langchain(wheel: Path, tmp_path: Path) -> None:
    zipfile.ZipFile(wheel).extractall(tmp_path)
    code = "import sys, haltgate; print(haltgate.__file__, any(name.startswith('lang') for name in sys.modules))"
    where, langchain = python("-W", "error", "-c", code, path=tmp_path).split()
    assert where == str(tmp_path / "haltgate/__init__.py")
    assert langchain == "False"
    hide = "import sys; sys.modules['langchain'] = None\nimport haltgate.langchain"
    done = subprocess.run(
        [sys.executable, "-c", hide],
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert "pip install 'haltgate[langchain]'" in done.stderr


def test_the_first_example_of_the_readme_has_six_lines_and_runs(shared_gate: Gate) -> None:
    readme = (PACKAGE / "README.md").read_text(encoding="utf-8")
    first = re.search(r"```python\n(.*?)```", readme, re.DOTALL)
    assert first is not None
    code = first[1]
    assert len([line for line in code.splitlines() if line.strip()]) <= 6
    said = python("-c", code, path=PACKAGE / "src", HALTGATE_TARGET=shared_gate.address)
    assert said == "True ALLOW_LIST\n"


def test_every_example_of_the_readme_is_python() -> None:
    readme = (PACKAGE / "README.md").read_text(encoding="utf-8")
    for code in re.findall(r"```python\n(.*?)```", readme, re.DOTALL):
        compile(f"async def example():\n    {code.replace(chr(10), chr(10) + '    ')}", "README.md", "exec")


def test_the_example_agent_runs_what_is_approved_and_ends_on_an_attack(shared_gate: Gate) -> None:
    example = PACKAGE / "examples/agent.py"
    assert len(example.read_text(encoding="utf-8").splitlines()) < 60
    done = subprocess.run(
        [sys.executable, str(example)],
        env={**os.environ, "PYTHONPATH": str(PACKAGE / "src"), "HALTGATE_TARGET": shared_gate.address},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 4, done.stderr
    assert "agent> echo hello\n  APPROVE: hello\n" in done.stdout
    assert "agent> rm -rf /\n  REJECT: Refused" in done.stdout
    assert "never reached" not in done.stdout
    assert "attack" in done.stderr


def test_no_lock_names_a_host() -> None:
    locks: list[Any] = list((PACKAGE / "requirements").glob("*.lock"))
    assert len(locks) == 2
    for lock in locks:
        text = lock.read_text(encoding="utf-8")
        assert "://" not in text
        pinned = re.findall(r"^[a-z].*$", text, re.MULTILINE)
        assert pinned
        assert all(re.fullmatch(r"\S+==\S+( ;.*)? \\", line) for line in pinned), pinned
