"""Verdicts: covered (witness), infeasible (proof), unknown (reason). None says more than was shown."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


@dataclass(frozen=True, slots=True)
class Covered:
    """Runs (while searching) or tests (in the report) that do what the objective asks."""

    tests: tuple[str, ...]

    word = "covered"


class Proof(Enum):
    """How an objective was shown to be infeasible; the value is the word used in report.json."""

    CONSTANT = "constant"
    EXHAUSTED = "exhausted"
    UNSATISFIABLE = "unsatisfiable"

    @property
    def sentence(self) -> str:
        return _PROOF_SENTENCES[self]


_PROOF_SENTENCES = {
    Proof.CONSTANT: "the condition has the same value in every run",
    Proof.EXHAUSTED: "every path that can lead there was explored exactly, and none does it",
    Proof.UNSATISFIABLE: "the formula of the whole function has no solution that does it",
}


@dataclass(frozen=True, slots=True)
class Infeasible:
    """No input can cover the objective, for the reason in the sentence."""

    proof: Proof
    sentence: str = ""  # about this objective; '' stands for the proof's own

    word = "infeasible"


class Reason(Enum):
    """Why an objective is unknown. A member holds its word, a sentence, and the option that may help."""

    NOT_TRIED = ("not_tried", "nothing was tried for it", "")
    TIME_LIMIT = ("time_limit", "the time limit ended the search first", "--time-limit")
    RUN_LIMIT = ("run_limit", "the limit on runs ended the search first", "--max-runs")
    INTERRUPTED = ("interrupted", "the search was interrupted", "")
    SOLVER_TIME_LIMIT = ("solver_time_limit", "the solver gave up on paths that lead there", "--solver-time-limit")
    APPROXIMATE = ("approximate", "no run found does it; some paths are approximate, so that nothing is proved", "")
    RUNS_DIED = ("runs_died", "no run found does it; some runs ended early, so that nothing is proved", "")
    CHECK = ("check", "no run found does it; runs that fail a check end there, so that nothing is proved", "--check")
    VOLATILE = ("volatile", "no run found does it; volatile data may change between two reads, here it does not", "")
    UNFAITHFUL = (
        "unfaithful",
        "no run found does it; some run behaves otherwise in a build without probes, so that nothing is proved",
        "",
    )
    NOT_CONFIRMED = ("not_confirmed", "no test that does it could be confirmed in a build without probes", "")
    JUDGED = ("judged", "tests do it in our build, but not all of it in one by gcc: see what gcov counts", "")
    NOT_FOLLOWED = ("not_followed", "evaluations of this decision cannot be followed in the compiled code", "")
    NOT_COVERED = ("not_covered", "none of the tests does it", "")
    NOT_WITHIN = (
        "not_within",
        "no run found does it within the iterations of loops that were encoded",
        "--unroll-limit",
    )
    NOT_ENCODED = ("not_encoded", "no run found does it; what happens on the way has no formula", "")
    TOO_LARGE = ("too_large", "no run found does it; the formula of the whole function is too large", "--time-limit")
    SHAPE = ("shape", "no run found does it; it may depend on one of the assumptions", "--input")

    def __init__(self, word: str, sentence: str, option: str) -> None:
        self.word = word
        self.sentence = sentence
        self.option = option  # '' when no option is known to help


@dataclass(frozen=True, slots=True)
class Unknown:
    reason: Reason
    sentence: str = ""  # about this objective; '' stands for the reason's own

    word = "unknown"


Verdict = Covered | Infeasible | Unknown
