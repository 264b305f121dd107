"""A sample of every_criterion.py: all criteria in one exploration, the suite measured from scratch, the same verdicts.

TIGHTROPE_FULL=1 takes every program; `python tests/agreement/every_criterion.py` does so in several processes.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import pytest
from every_criterion import CRITERIA, Job, compare_units, find_jobs, run
from one_solver import without_a_second_solver  # noqa: F401

from tightrope import cli

# values, a loop, a crash, pointers, a whole program
SAMPLE = ("short_circuit", "while_loop", "out_of_bounds", "linked_list", "verifier_draws")
IS_FULL = os.environ.get("TIGHTROPE_FULL") == "1"
SLOW = ("mutation",)  # its proofs take long; tests/integration/measure/test_mutants.py compares the two commands
ASKED = tuple(name for name in CRITERIA if IS_FULL or name not in SLOW)
JOBS = [job for job in find_jobs(ASKED) if IS_FULL or job.program.stem in SAMPLE]


@pytest.mark.parametrize("job", JOBS, ids=lambda job: job.program.stem)
def test_every_criterion(job: Job, tmp_path: Path) -> None:
    result = run(job, tmp_path, called)
    assert result.problems == ()
    assert len({criterion for criterion, _ in result.verdicts}) > 8


def called(words: Sequence[str]) -> str:
    """The command without a process of its own."""
    code = cli.main(words)
    return f"exit {code}" if code else ""


def test_another_verdict_is_noticed() -> None:
    def unit(*verdicts: str) -> dict[str, object]:
        objectives = [{"id": f"f:branch:{n}", "verdict": each} for n, each in enumerate(verdicts)]
        return {"function": "f", "objectives": objectives}

    same = unit("covered", "infeasible", "unknown")
    assert list(compare_units(same, unit("covered", "unknown", "unknown"))) == []
    assert len(list(compare_units(same, unit("unknown", "covered", "covered")))) == 3
    assert len(list(compare_units(same, unit("covered", "unknown")))) == 1
