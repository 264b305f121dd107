"""Runs `tightrope generate` in a separate process and records how long each stage took.

    python -m bench.stages NOTES.json STARTED ARGUMENTS...

STARTED is the time (of time.time) at which the process was requested, so that the start of Python counts too.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

STAGES = (  # words, module, function: the seams between the stages of `generate`
    ("compile and read the C file", "units.select_functions", "prepare_file"),
    ("driver: compile, read, weave", "commands.generate.pipeline", "prepare_unit"),
    ("load into the worker", "commands.generate.growing", "start"),
    ("search", "commands.generate.growing", "explore"),
    ("reduce and shrink", "commands.generate.conclude", "_choose_runs"),
    ("confirm: build and run without probes", "commands.generate.confirmed_verdicts", "confirm"),
    ("compare with gcov", "commands.generate.confirmed_verdicts", "judge"),
    ("write", "commands.generate.conclude", "_write"),
)


def main() -> int:
    notes, started, *arguments = sys.argv[1:]
    seconds: dict[str, float] = {}
    import importlib

    from tightrope.cli import main as tightrope

    for words, module, function in STAGES:
        place = importlib.import_module(f"tightrope.{module}")
        setattr(place, function, _timed(getattr(place, function), words, seconds))
    loaded = time.time() - float(started)
    status = tightrope(arguments)
    whole = time.time() - float(started)
    noted = {"start Python and import": loaded, **seconds}
    noted["rest"] = whole - sum(noted.values())
    Path(notes).write_text(json.dumps(noted), encoding="utf-8")
    return status


def _timed(function: Callable[..., Any], words: str, seconds: dict[str, float]) -> Callable[..., Any]:
    def timed(*arguments: Any, **rest: Any) -> Any:
        start = time.perf_counter()
        try:
            return function(*arguments, **rest)
        finally:
            seconds[words] = seconds.get(words, 0.0) + time.perf_counter() - start

    return timed


if __name__ == "__main__":
    sys.exit(main())
