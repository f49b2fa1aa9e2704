"""The image's recipe and the proxies' configurations in deploy/."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"


def instructions() -> list[tuple[str, str]]:
    """The instructions of the recipe, each on one line."""
    lines = [line for line in (DEPLOY / "Dockerfile").read_text().splitlines() if not line.lstrip().startswith("#")]
    text = "\n".join(lines).replace("\\\n", " ")
    return [tuple(line.split(maxsplit=1)) for line in text.splitlines() if line.strip()]


def stages() -> dict[str, list[tuple[str, str]]]:
    found: dict[str, list[tuple[str, str]]] = {}
    for word, rest in instructions():
        if word == "FROM":
            found[rest.split(" AS ")[1]] = []
        found[list(found)[-1]].append((word, rest))
    return found


def copies(stage: str) -> list[tuple[list[str], str]]:
    """What a stage takes from the repository, and where to."""
    words = [shlex.split(rest) for word, rest in stages()[stage] if word == "COPY"]
    return [(given[:-1], given[-1]) for given in words if not given[0].startswith("--from")]


class Image(unittest.TestCase):
    def test_bases_are_of_one_version_and_of_no_named_registry(self):
        for word, rest in instructions():
            if word == "FROM":
                self.assertRegex(rest, r"^(rust:1\.\d+-slim-bookworm|debian:bookworm-slim) AS [a-z]+$")
        minimum = re.search(r'^rust-version = "(.+)"', (ROOT / "Cargo.toml").read_text(), re.M).group(1)
        self.assertIn(("FROM", f"rust:{minimum}-slim-bookworm AS build"), instructions())

    def test_the_build_has_what_cargo_needs_and_the_context_lets_it_through(self):
        ignored = (ROOT / ".dockerignore").read_text().splitlines()
        self.assertIn("*", ignored)
        allowed = [line[1:] for line in ignored if line.startswith("!")]
        with tempfile.TemporaryDirectory() as folder:
            for sources, target in copies("build") + copies("run"):
                for source in sources:
                    path = ROOT / source
                    self.assertTrue(path.exists(), source)
                    self.assertTrue(any(source == name or source.startswith(f"{name}/") for name in allowed), source)
            for sources, target in copies("build"):
                for source in sources:
                    to = Path(folder, target, Path(source).name if target.endswith("/") else "")
                    copy = shutil.copytree if (ROOT / source).is_dir() else shutil.copy
                    to.parent.mkdir(parents=True, exist_ok=True)
                    copy(ROOT / source, to)
            described = subprocess.run(
                ["cargo", "metadata", "--locked", "--no-deps", "--format-version", "1"],
                cwd=folder, capture_output=True, text=True,
            )
            self.assertEqual(described.returncode, 0, described.stderr)
            [package] = json.loads(described.stdout)["packages"]
            [program] = [target for target in package["targets"] if target["kind"] == ["bin"]]
            self.assertTrue(Path(program["src_path"]).exists())
            # What the program carries along must be there too.
            for source in Path(folder, "src").rglob("*.rs"):
                code = source.read_text().split("#[cfg(test)]")[0]
                if source.parts[-2] == "tests" or source.name == "tests.rs":
                    continue
                for carried in re.findall(r'include_(?:str|bytes)!\("([^"]+)"\)', code):
                    self.assertTrue((source.parent / carried).exists(), f"{source} carries {carried}")

    def test_the_program_is_built_from_the_lock_file_and_runs_as_nobody(self):
        runs = [rest for word, rest in stages()["build"] if word == "RUN"]
        self.assertTrue(any("cargo build --locked --profile dist" in run for run in runs))
        self.assertIn("[profile.dist]", (ROOT / "Cargo.toml").read_text())
        run = stages()["run"]
        self.assertIn(("USER", "65532:65532"), run)
        last = [word for word, _ in run]
        self.assertGreater(last.index("ENTRYPOINT"), last.index("USER"))
        for word, rest in run:
            if word in {"ENTRYPOINT", "CMD"}:
                json.loads(rest)
        [health] = [rest for word, rest in run if word == "HEALTHCHECK"]
        probe = json.loads(health.split("CMD ", 1)[1])
        [command] = [json.loads(rest) for word, rest in run if word == "CMD"]
        self.assertEqual(probe[:2], ["haltgate", "healthcheck"])
        # It asks where the gate is told to answer.
        self.assertEqual(probe[probe.index("--admin") + 1], command[command.index("--admin") + 1])

    def test_the_options_that_the_image_gives_exist(self):
        [command] = [json.loads(rest) for word, rest in stages()["run"] if word == "CMD"]
        program = ROOT / "target/debug/haltgate"
        for words in [command, ["healthcheck", "--admin"]]:
            help_text = subprocess.run([program, words[0], "--help"], capture_output=True, text=True, check=True).stdout
            for option in filter(lambda word: word.startswith("--"), words):
                self.assertIn(option, help_text)

    def test_nothing_but_what_is_named_gets_into_the_context(self):
        allowed = [line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")]
        for name in allowed:
            self.assertTrue((ROOT / name).exists(), name)
            self.assertNotIn(name, {"target", ".git", "tests", "haltgate.db"})


class Proxies(unittest.TestCase):
    def test_envoy_refuses_where_the_gate_does_not_answer_and_hands_over_whole_bodies(self):
        [listener] = yaml.safe_load((DEPLOY / "envoy/envoy.yaml").read_text())["static_resources"]["listeners"]
        [connection] = listener["filter_chains"][0]["filters"]
        names = [part["name"] for part in connection["typed_config"]["http_filters"]]
        self.assertEqual(names, ["envoy.filters.http.ext_authz", "envoy.filters.http.router"])
        asks = connection["typed_config"]["http_filters"][0]["typed_config"]
        self.assertIs(asks["failure_mode_allow"], False)
        self.assertEqual(
            (asks["with_request_body"]["allow_partial_message"], asks["with_request_body"]["pack_as_bytes"]),
            (False, True),
        )

    def test_no_file_here_names_a_host_of_a_registry(self):
        hosts = re.compile(r"\b(docker\.io|ghcr\.io|gcr\.io|quay\.io|registry\.[a-z]+|[a-z]+\.azurecr\.io)\b")
        files = [file for file in DEPLOY.rglob("*") if file.is_file()] + [ROOT / ".dockerignore"]
        for file in files:
            self.assertIsNone(hosts.search(file.read_text()), file)

    def test_every_example_reads(self):
        for file in DEPLOY.rglob("*.json"):
            json.loads(file.read_text())
        for file in [*DEPLOY.rglob("*.yaml"), *DEPLOY.rglob("*.yml")]:
            list(yaml.safe_load_all(file.read_text()))


if __name__ == "__main__":
    unittest.main()
