"""Two versions of a function: an input on which they differ, or a proof that there is none.

    encode both with k iterations --> ask for an input with an observable difference --> run it on both versions
                 ^                                        |
                 |                                        +--> none: is there any other possible difference,
                 |                                             or a run that leaves the encoding?   no: equal
                 +--- k grows -------------------------------- yes

The proof is about all inputs of this shape that both versions accept. The verdict `equal` is about all callers, so it
is given only if no doubt (soundness/doubts.py) applies.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal

from tightrope.encoding.encoding import Departure, EncodingLimits, WhyDeparted
from tightrope.engines.encoding_engine import (
    FIRST_INSTANCES,
    FIRST_ITERATIONS,
    FIRST_SECONDS,
    GROWTH,
    LEAST_RECURSION,
    is_paranoid,
    make_pruning,
)
from tightrope.equality.correspondence import Correspondence, replaced_functions
from tightrope.equality.difference_search import DifferenceSearch, TryInput, why_unseen
from tightrope.equality.encoded_pair import EncodableVersion, PairLevel, ReusedVersion, encode_pair
from tightrope.equality.shared_inputs import SharedInputs
from tightrope.expr import plain
from tightrope.expr.build import is_constant, negate
from tightrope.expr.compiled import compile_values
from tightrope.expr.terms import Term
from tightrope.harness.driver import is_driver
from tightrope.inputs.scalars import Input
from tightrope.options.options import Options
from tightrope.program.ir.gc_pause import collector_paused
from tightrope.solving.backends import start_session
from tightrope.solving.query import Answer, Sat, SolverUnknown, Unsat
from tightrope.solving.session import Session
from tightrope.solving.smtlib import fingerprint, write_smtlib
from tightrope.soundness.doubts import NO_ANSWER, NOT_SECONDED, RunFacts, Versions, equality_doubts
from tightrope.soundness.formula import explain_departures
from tightrope.soundness.proof_files import ProofFiles
from tightrope.suite.folder import MARKER, write_file
from tightrope.units.prepared import PreparedUnit

GROWABLE = (WhyDeparted.BOUND, WhyDeparted.BUDGET)

NO_TIME = "the time limit was reached"
EARLY = "if both versions end before they return, only this fact and the calls before it are compared"
ACCEPTED = "inputs that only one version accepts are not compared"
UNDEFINED = "inputs for which C does not define what the function does are not compared"
ASSUMED = "under the assumptions"
NO_INPUT = "there is no input that both versions accept"
ALIKE_BUT = "no input of this shape shows a difference, but {}"
MISTAKE = "the two versions could not be encoded ({}): please report this"


@dataclass(frozen=True, slots=True)
class EqualityResult:
    """The result. `reason`: of unknown, why; of equal, what the proof does not cover."""

    verdict: Literal["different", "equal", "unknown"]
    input: Input | None = None  # of new
    reason: str = ""
    formula: str = ""  # of equal: the hash of the formula without a solution
    queries: int = 0
    seconds: float = 0.0


def seek_difference(
    old: PreparedUnit,
    new: PreparedUnit,
    options: Options,
    seconds: float,
    try_input: TryInput,
    *,
    known: ReusedVersion | None = None,
    proof_name: str = "",
    may_narrow: bool = False,
    version: EncodableVersion | None = None,
) -> EqualityResult:
    """Search for a difference. `try_input` runs an input of new on both versions; True if they behave differently. It
    is also told whether the formula foresees that.
    `known` is the old version, if it is compared with several; `proof_name` that of the file for --keep-proofs.
    `may_narrow`: if they differ, or nothing is known, inputs for which old is undefined do not count.
    `version` is new, if it was made before."""
    with collector_paused():
        search = _EqualitySearch(old, new, options, seconds, try_input, known)
        search.may_narrow, search.version = may_narrow, version
        search.proof_name = proof_name or f"{new.interface.name}.equal.smt2"
        return search.seek()


class _EqualitySearch:
    def __init__(
        self,
        old: PreparedUnit,
        new: PreparedUnit,
        options: Options,
        seconds: float,
        try_input: TryInput,
        known: ReusedVersion | None,
    ) -> None:
        self.proof_name = ""
        self.may_narrow = False
        self.version: EncodableVersion | None = None
        self._known = known
        self._old, self._new, self._options = old, new, options
        self._shared = SharedInputs(Correspondence.of(old, new))
        self._start = time.perf_counter()
        self._end = self._start + seconds
        self._queries = 0
        self._iterations, self._instances, self._encoding_seconds = FIRST_ITERATIONS, FIRST_INSTANCES, FIRST_SECONDS
        self._search = DifferenceSearch(old, new, options.seed, self, try_input)
        self._versions: tuple[EncodableVersion, EncodableVersion] | None = None

    def seek(self) -> EqualityResult:
        """Use larger and larger formulas, until one of them decides."""
        while True:
            try:
                level = self._encode()
            except Exception as problem:
                if is_paranoid():
                    raise
                return self._unknown(MISTAKE.format(f"{type(problem).__name__}: {problem}"))
            found = self._decide(level)
            if found is not None:
                return self._narrowed(level, found) if self.may_narrow else found

    @property
    def left(self) -> float:
        return self._end - time.perf_counter()

    def _unknown(self, reason: str) -> EqualityResult:
        return self._sought("unknown", reason=reason)

    def _sought(
        self,
        verdict: Literal["different", "equal", "unknown"],
        values: Input | None = None,
        reason: str = "",
        formula: str = "",
    ) -> EqualityResult:
        return EqualityResult(verdict, values, reason, formula, self._queries, time.perf_counter() - self._start)

    # -- encoding

    def _encode(self) -> PairLevel:
        options = self._options
        session = start_session(options.solver, time_limit=options.solver_time_limit, seed=options.seed)
        if self._versions is None:
            old = self._known.version if self._known else EncodableVersion.of(self._old, options)
            self._versions = old, self.version or EncodableVersion.of(self._new, options)
        is_possible = make_pruning(partial(self.ask, session), self._known.possible if self._known else None)
        pair = encode_pair(self._versions, self._shared, options, self._limits(), is_possible, self._known)
        for term in (*pair.table.definitions, *pair.consistency()):
            session.assert_always(term)
        return PairLevel(pair, session)

    def _limits(self) -> EncodingLimits:
        seconds = max(0.05, min(self._encoding_seconds, self.left / 2))
        calls = max(LEAST_RECURSION, self._iterations)
        return EncodingLimits(self._iterations, self._instances, seconds, 4 * self._options.index_limit, calls)

    def ask(self, session: Session, terms: Sequence[Term], seconds: float | None = None) -> Answer:
        self._queries += 1
        wanted = self._options.solver_time_limit if seconds is None else seconds
        return session.ask(terms, max(0.05, min(wanted, self.left)))

    # -- one formula

    def _decide(self, level: PairLevel) -> EqualityResult | None:
        """The result with this formula; None: try a larger one."""
        found = self._search.look(level)
        if found is not None:
            return self._sought("different", found)
        if self.left <= 0:
            return self._unknown(self._search.reason or NO_TIME)
        if self._may_grow(level):
            return None
        return self._unknown(self._search.reason) if self._search.reason else self._prove(level)

    def _narrowed(self, level: PairLevel, found: EqualityResult) -> EqualityResult:
        """Ask again, without inputs for which old is undefined or new does not get to the change. Only now, because
        that formula is larger."""
        undefined, reached = level.pair.comparison.old.undefined, level.pair.comparison.new.reached
        is_same = is_constant(undefined, 0) and (found.verdict == "different" or is_constant(reached, 1))
        if found.verdict == "equal" or is_same or self.left <= 0:
            return found
        if found.input is not None and not self._holds(level, undefined, found.input):
            return found
        again = self._decide(replace(level, pair=replace(level.pair, is_narrow=True)))
        return found if again is None or again.verdict == "unknown" else again

    def _holds(self, level: PairLevel, term: Term, values: Input) -> bool:
        """Whether the term may be true for an input of new."""
        given = level.pair.given(values)
        if given is None or not level.is_exact([term]):
            return True
        (value,) = compile_values([term])((*given, *(0,) * term.support.bit_length()))
        return bool(value)

    # -- growing

    def _may_grow(self, level: PairLevel) -> bool:
        """Enlarge the next formula; False if a larger one would not help."""
        lacks = {why for why in GROWABLE if self._departs(level, why)}
        if WhyDeparted.BUDGET in lacks:
            self._encoding_seconds, self._instances = self._encoding_seconds * GROWTH, self._instances * GROWTH
            return True
        if WhyDeparted.BOUND in lacks and self._iterations < self._options.unroll_limit:
            self._iterations = min(self._options.unroll_limit, self._iterations * GROWTH)
            return True
        return False

    def _departs(self, level: PairLevel, why: WhyDeparted) -> bool:
        found = [each.condition for each in level.departures if each.why is why]
        accepted = level.pair.accepted
        return bool(found) and not isinstance(self.ask(level.session, [accepted, level.any_of(found)]), Unsat)

    # -- proving

    def _prove(self, level: PairLevel) -> EqualityResult:
        """Prove that nothing differs and that no run leaves the formula."""
        accepted = level.pair.accepted
        terms = [each.when for each in level.pair.contrasts] + [each.condition for each in level.left_out]
        answer = self._refute(level, accepted, terms)
        if isinstance(answer, SolverUnknown):
            return self._unknown(NO_ANSWER.sentence if self.left > 0 else NO_TIME)
        if isinstance(answer, Sat):
            return self._unknown(self._why_not(level))
        doubt = self._doubt(level)
        if doubt:
            return self._unknown(doubt)
        question = [accepted, level.any_of(terms), *level.pair.table.definitions, *level.pair.consistency()]
        return self._keep(level, question)

    def _refute(self, level: PairLevel, accepted: Term, terms: Sequence[Term]) -> Answer:
        """All in one query; if that is too hard, one query each."""
        answer = self.ask(level.session, [accepted, level.any_of(terms)], self.left / 2)
        if not isinstance(answer, SolverUnknown):
            return answer
        for number, term in enumerate(terms):
            answer = self.ask(level.session, [accepted, term], self.left / (len(terms) - number))
            if not isinstance(answer, Unsat):
                return answer
        return answer

    def _why_not(self, level: PairLevel) -> str:
        """What the solution does that the proof should exclude."""
        departed = [each for each in level.departures if level.session.value(each.condition)]
        if departed:
            return _words(departed, level.pair.limits)
        differing = [each for each in level.pair.contrasts if level.session.value(each.when)]
        if differing:
            return why_unseen(level, differing)
        return "the solvers disagree about where a loop ends"

    def _doubt(self, level: PairLevel) -> str:
        answer = self.ask(level.session, [level.pair.allowed])
        if not isinstance(answer, Sat):
            return NO_INPUT if isinstance(answer, Unsat) else NO_ANSWER.sentence
        facts = RunFacts(fails_a_check=bool(self._options.checks) and self._may_end(level, is_both=False))
        match = Correspondence.of(self._old, self._new)
        replaced = (*replaced_functions(match.old, match.new), *replaced_functions(match.new, match.old))
        versions = Versions(self._old, self._new, replaced)
        return next((ALIKE_BUT.format(doubt) for doubt in equality_doubts(versions, facts)), "")

    def _may_end(self, level: PairLevel, *, is_both: bool) -> bool:
        ended = [each.ended for each in level.pair.versions]
        terms = ended if is_both else [level.any_of(ended)]
        return not isinstance(self.ask(level.session, [level.pair.allowed, *terms]), Unsat)

    def _keep(self, level: PairLevel, question: Sequence[Term]) -> EqualityResult:
        warnings: list[str] = []
        if not ProofFiles(self._options, warnings).is_seconded(question):
            return self._unknown(warnings[0] if warnings else NOT_SECONDED.sentence)
        if self._options.keep_proofs is not None:
            write_file(self._options.keep_proofs / self.proof_name, write_smtlib(question, MARKER))
        return self._sought("equal", None, "; ".join(self._remarks(level)), fingerprint(question, MARKER))

    def _remarks(self, level: PairLevel) -> Iterator[str]:
        """What the proof does not cover."""
        if self._new.driver.assumptions or self._old.driver.assumptions:
            yield ASSUMED
        if level.pair.shared.ties or self._accept_otherwise(level):
            yield ACCEPTED
        if level.pair.is_narrow and self._is_undefined(level):
            yield UNDEFINED
        if self._may_end(level, is_both=True):
            yield EARLY

    def _is_undefined(self, level: PairLevel) -> bool:
        pair = replace(level.pair, is_narrow=False)
        return not isinstance(self.ask(level.session, [pair.allowed, pair.comparison.old.undefined]), Unsat)

    def _accept_otherwise(self, level: PairLevel) -> bool:
        old, new = (version.rejected for version in level.pair.versions)
        is_other = negate(level.pair.table, plain.equals(level.pair.table, old, new))
        return old is not new and not isinstance(self.ask(level.session, [is_other]), Unsat)


def _words(departed: Sequence[Departure], limits: EncodingLimits) -> str:
    """Why nothing is proved: where runs leave the formula."""
    shaped = [each for each in departed if each.why is WhyDeparted.SHAPE]
    if shaped:
        return f"{WhyDeparted.SHAPE.sentence}: {shaped[0].what}"
    first = min(departed, key=lambda each: each.why is not WhyDeparted.NOT_ENCODED)
    line = f" (line {first.place.line})" if first.place is not None and not is_driver(first.place) else ""
    if first.why is WhyDeparted.NOT_ENCODED:
        return f"the encoding does not support {first.what}{line}"
    return explain_departures([first], limits)[1] or first.why.sentence
