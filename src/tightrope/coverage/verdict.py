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
    INDUCTIVE = "inductive"

    @property
    def sentence(self) -> str:
        return _PROOF_SENTENCES[self]


_PROOF_SENTENCES = {
    Proof.CONSTANT: "a constant excludes it, or the compiler generates no code for it because no control comes there",
    Proof.EXHAUSTED: "every path that can lead there was explored exactly, and none covers it",
    Proof.INDUCTIVE: "no call covers it in any state to which calls of these functions lead (by induction over calls)",
    Proof.UNSATISFIABLE: "the formula of the whole function has no solution that covers it",
}


@dataclass(frozen=True, slots=True)
class Infeasible:
    """No input can cover the objective, for the reason in the sentence."""

    proof: Proof
    sentence: str = ""  # about this objective; '' stands for the proof's own

    word = "infeasible"


_NO_RUN = "no run was found that covers it"
_NO_PROOF = "; nothing is proved, because"


class Reason(Enum):
    """Why an objective is unknown. A member holds its word, a sentence, and the option that may help."""

    NOT_TRIED = ("not_tried", "nothing was tried to cover it", "")
    TIME_LIMIT = ("time_limit", "the time limit ended the search first", "--time-limit")
    RUN_LIMIT = ("run_limit", "the limit on runs ended the search first", "--max-runs")
    INTERRUPTED = ("interrupted", "the search was interrupted", "")
    SOLVER_TIME_LIMIT = ("solver_time_limit", "the solver gave up on paths that lead there", "--solver-time-limit")
    BOUNDED = ("bounded", f"{_NO_RUN} within the bounds on loops and paths that were asked for", "--loop-bound")
    APPROXIMATE = ("approximate", f"{_NO_RUN}{_NO_PROOF} some paths are approximate", "")
    RUNS_DIED = ("runs_died", f"{_NO_RUN}{_NO_PROOF} some runs ended early", "")
    ONLY_CRASHING = ("only_crashing", "only runs that crash cover it", "")
    ONLY_ENDLESS = ("only_endless", "only runs that do not end cover it", "--run-time-limit")
    ONLY_STUCK = ("only_stuck", "only runs that do not end cover it", "")
    CHECK = ("check", f"{_NO_RUN}{_NO_PROOF} runs that fail a check end there", "--check")
    UNINITIALISED = (
        "uninitialised",
        f"{_NO_RUN}{_NO_PROOF} runs that use an uninitialised value, or an undefined shift or conversion, end there",
        "",
    )
    ADDRESS = ("address", f"{_NO_RUN}{_NO_PROOF} some runs depend on where objects lie in memory", "")
    VOLATILE = ("volatile", f"{_NO_RUN}{_NO_PROOF} the runs do not change volatile data between two reads", "")
    UNFAITHFUL = (
        "unfaithful",
        f"{_NO_RUN}{_NO_PROOF} some run behaves differently in a build without instrumentation",
        "",
    )
    NOT_CONFIRMED = (
        "not_confirmed",
        "no test that covers it could be confirmed in a build without instrumentation",
        "",
    )
    JUDGED = (
        "judged",
        "tests cover it in our build, but fail or take fewer branches there in a build by gcc: see what gcov counts",
        "",
    )
    NOT_FOLLOWED = ("not_followed", "evaluations of this decision cannot be followed in the compiled code", "")
    NOT_COVERED = ("not_covered", "no test covers it", "")
    ALIVE = ("alive", "tests reach the mutant, and none of them fails", "")
    NOT_REACHED = ("not_reached", "no test reaches the mutant", "")
    NOT_RUN = ("not_run", "the time limit was reached before all tests had run on the mutant", "--time-limit")
    NOT_JUDGED = ("not_judged", "only tests that fail without the mutant, too, reach it", "")
    NOT_WITHIN = ("not_within", f"{_NO_RUN} within the loop iterations that were encoded", "--unroll-limit")
    NOT_ENCODED = ("not_encoded", f"{_NO_RUN}; some code on the way there cannot be encoded as a formula", "")
    TOO_LARGE = ("too_large", f"{_NO_RUN}; the formula of the whole function is too large", "--time-limit")
    STATE = ("state", f"{_NO_RUN} in one call; after others, what it keeps between calls may differ", "--sequence")
    MORE_CALLS = ("more_calls", f"{_NO_RUN} within the calls of the sequence; more calls may", "--sequence")
    SHAPE = ("shape", f"{_NO_RUN}; whether one exists may depend on one of the assumptions", "--input")

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
