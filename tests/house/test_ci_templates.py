"""The files for continuous integration: what their shell steps do in a repository with a change, step by step."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from imports import ROOT

from tightrope.options.options import OPTIONS

yaml = pytest.importorskip("yaml", reason="PyYAML is not installed: pip install 'tightrope[dev]'")

ACTION = ROOT / "action.yml"
GITLAB = ROOT / "templates" / "tightrope.gitlab-ci.yml"
HOOKS = ROOT / ".pre-commit-hooks.yaml"
OLD = """\
int sign(int a) { if (a < 0) return -1; return a > 0; }
int twice(int a) { if (a > 1000) return 0; return a + a; }
"""
NEW = OLD.replace("1000", "2000")


def read(file: Path) -> Any:
    return yaml.safe_load(file.read_text(encoding="utf-8"))


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """One commit, and a change that is not committed."""
    folder = tmp_path / "repository"
    (folder / "src").mkdir(parents=True)
    (folder / "src" / "a.c").write_text(OLD)
    for words in (
        "init -q -b main",
        "add .",
        "-c user.email=a@example.org -c user.name=A commit -q -m one",
    ):
        subprocess.run(["git", *words.split()], cwd=folder, check=True)
    (folder / "src" / "a.c").write_text(NEW)
    return folder


@pytest.fixture
def shell(repository: Path, tmp_path: Path) -> dict[str, str]:
    """The variables of a machine on which `tightrope` is installed and nothing else is known."""
    tools = tmp_path / "tools"
    tools.mkdir()
    (tools / "tightrope").write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m tightrope "$@"\n')
    (tools / "tightrope").chmod(0o755)
    return {
        "PATH": f"{tools}:{os.environ['PATH']}",
        "HOME": str(tmp_path / "home"),
        "PYTHONPATH": str(ROOT / "src"),
        "XDG_CACHE_HOME": os.environ.get("XDG_CACHE_HOME")
        or str(Path.home() / ".cache"),  # the runtime is compiled once
    }


def run(script: str, folder: Path, variables: dict[str, str]) -> subprocess.CompletedProcess[str]:
    words = ["bash", "-e", "-o", "pipefail", "-c", script]
    return subprocess.run(words, cwd=folder, env=variables, capture_output=True, text=True)


def action_step(name: str) -> dict[str, Any]:
    (step,) = (each for each in read(ACTION)["runs"]["steps"] if each.get("name") == name)
    return step


def action_variables(step: dict[str, Any], **given: str) -> dict[str, str]:
    """The step's environment, with the inputs of the action in it."""
    inputs = {name: each["default"] for name, each in read(ACTION)["inputs"].items()} | given
    return {
        key: re.sub(r"\$\{\{ inputs\.([\w-]+) \}\}", lambda found: inputs[found[1]], text)
        for key, text in step["env"].items()
    }


@pytest.mark.parametrize("file", [ACTION, GITLAB, HOOKS], ids=lambda file: file.name)
def test_options_in_templates_exist(file: Path) -> None:
    known = {flag for each in OPTIONS.values() for flag in each.flags}
    scripts = " ".join(each for each in _texts(read(file)) if "tightrope generate" in each or "words" in each)
    used = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", scripts))
    assert used and used <= known


def _texts(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [text for key, each in value.items() if key != "description" for text in _texts(each)]
    if isinstance(value, list):
        return [text for each in value for text in _texts(each)]
    return [value] if isinstance(value, str) else []


def test_every_input_of_the_action_is_used_and_has_a_default() -> None:
    action = read(ACTION)
    used = set(re.findall(r"\$\{\{ inputs\.([\w-]+) \}\}", json.dumps(action["runs"])))
    assert used == set(action["inputs"])
    assert all(isinstance(each["default"], str) for each in action["inputs"].values())


def test_the_action_tests_what_has_changed(repository: Path, shell: dict[str, str], tmp_path: Path) -> None:
    """Only the changed function; a summary for the pull request; the gate decides the exit status."""
    step = action_step("Generate")
    machine = {**shell, "RUNNER_TEMP": str(tmp_path), "GITHUB_STEP_SUMMARY": str(tmp_path / "summary.md")}
    given = action_variables(
        step, targets="src", changed="HEAD", arguments="--max-runs 100 --no-confirm", **{"fail-under": "100"}
    )
    done = run(step["run"], repository, {**machine, **given})
    assert done.returncode == 0, done.stderr
    summary = (tmp_path / "summary.md").read_text()
    assert "`twice`" in summary and "`sign`" not in summary
    assert [each.name for each in (repository / "tightrope-tests").iterdir()] == ["test_a_twice.c"]
    assert (repository / ".tightrope").is_dir()
    given = action_variables(
        step,
        targets="src",
        changed="HEAD",
        arguments="--max-runs 1 --no-confirm --grow-to 0 --no-cache",
        output="others",  # tests that are there already are kept and used
        **{"fail-under": "100"},
    )
    done = run(step["run"], repository, {**machine, **given})
    assert done.returncode == 1
    assert "--fail-under" in done.stderr and "::warning" in done.stdout


def test_the_action_installs_itself_or_what_is_asked_for(tmp_path: Path) -> None:
    script = action_step("Install")["run"]
    fake = tmp_path / "python"
    fake.write_text('#!/bin/sh\necho "$@"\n')
    fake.chmod(0o755)
    variables = {"PATH": f"{tmp_path}:{os.environ['PATH']}", "GITHUB_ACTION_PATH": "/action dir", "REQUIREMENT": ""}
    assert run(script, tmp_path, variables).stdout == "-m pip install --quiet /action dir\n"
    variables["REQUIREMENT"] = "tightrope==0.1.0"
    assert run(script, tmp_path, variables).stdout == "-m pip install --quiet tightrope==0.1.0\n"


def test_the_cache_of_the_action_is_restored_by_the_beginning_of_its_key() -> None:
    given = action_step("Store of results")["with"]
    assert given["key"].startswith(given["restore-keys"])
    assert given["path"].split() == [".tightrope", "~/.cache/tightrope"]


def test_the_gitlab_template(repository: Path, shell: dict[str, str]) -> None:
    job = read(GITLAB)["tightrope"]
    variables = {key: str(value) for key, value in job["variables"].items() if key.startswith("TIGHTROPE_")}
    variables |= {
        "TIGHTROPE_TARGETS": "src",
        "TIGHTROPE_CHANGED": "HEAD",
        "TIGHTROPE_FAIL_UNDER": "mcdc=100,branch=100",
    }
    variables |= {"TIGHTROPE_ARGUMENTS": "--max-runs 100 --no-confirm"}
    script = "\n".join(job["script"])
    done = run(script, repository, {**shell, **variables})
    assert done.returncode == 0, done.stderr
    assert "`twice`" in (repository / "tightrope.md").read_text()
    assert json.loads((repository / job["artifacts"]["reports"]["codequality"]).read_text()) == []
    for path in job["cache"]["paths"]:
        assert (repository / path).is_dir()
    variables |= {"TIGHTROPE_CHANGED": "", "TIGHTROPE_OUTPUT": "others"}
    variables |= {"TIGHTROPE_ARGUMENTS": "--max-runs 1 --no-confirm --grow-to 0 --no-cache"}
    done = run(script, repository, {**shell, **variables})
    assert done.returncode == 1 and "--fail-under" in done.stderr
    assert json.loads((repository / "tightrope-quality.json").read_text())


def test_the_pre_commit_hook(repository: Path, shell: dict[str, str]) -> None:
    """pre-commit calls the entry with its arguments; it would install the package first, which needs a network."""
    (hook,) = read(HOOKS)
    assert hook["language"] == "python" and hook["pass_filenames"] is False
    words = " ".join([hook["entry"], *map(shlex.quote, hook["args"]), "--max-runs", "100", "--no-confirm"])
    done = run(words, repository, shell)
    assert done.returncode == 0, done.stderr
    assert [each.name for each in (repository / "tightrope-tests").iterdir()] == ["test_a_twice.c"]
    (repository / "src" / "a.c").write_text("int broken(\n")
    done = run(words, repository, shell)
    assert done.returncode != 0 and done.stderr
