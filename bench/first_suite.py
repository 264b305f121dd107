"""Time from the command to a written, confirmed suite for examples/triangle.c, with warm and cold caches, by stage."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
EXAMPLE = ROOT / "examples" / "triangle.c"


@dataclass(frozen=True, slots=True)
class FirstSuite:
    """Seconds of the plain command, and of its stages in a second run that notes them."""

    warm: float
    cold: float
    warm_stages: Mapping[str, float]
    cold_stages: Mapping[str, float]


def measure(repetitions: int) -> FirstSuite:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        cold = min(_command(folder, _empty_cache(folder, f"cold{number}")) for number in range(repetitions))
        cold_stages = _stages(folder, _empty_cache(folder, "stages"))
        caches = _empty_cache(folder, "warm")
        _command(folder, caches)
        warm = min(_command(folder, caches) for _ in range(repetitions))
        return FirstSuite(warm, cold, _stages(folder, caches), cold_stages)


def _empty_cache(folder: Path, name: str) -> dict[str, str]:
    """An environment in which no cache holds anything: neither ours nor the compiler's."""
    place = folder / name
    place.mkdir()
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("ZIG_", "TIGHTROPE_"))}
    return {**kept, "HOME": str(place), "XDG_CACHE_HOME": str(place / "cache")}


def _command(folder: Path, environment: Mapping[str, str]) -> float:
    start = time.perf_counter()
    _run([sys.executable, "-m", "tightrope", *_arguments(folder)], environment)
    return time.perf_counter() - start


def _stages(folder: Path, environment: Mapping[str, str]) -> dict[str, float]:
    notes = folder / "notes.json"
    _run(
        [sys.executable, str(ROOT / "bench" / "stages.py"), str(notes), str(time.time()), *_arguments(folder)],
        environment,
    )
    found: dict[str, float] = json.loads(notes.read_text(encoding="utf-8"))
    return found


def _arguments(folder: Path) -> list[str]:
    return ["generate", str(EXAMPLE), "-o", str(folder / "tests")]


def _run(command: list[str], environment: Mapping[str, str]) -> None:
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"tightrope did not succeed (status {done.returncode}):\n{done.stderr}")
