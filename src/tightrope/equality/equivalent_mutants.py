"""A function and one of its mutants in a formula: an input that may kill the mutant, or a proof that none does.

The mutant is compiled alone, from the text that the driver becomes when it is preprocessed: so a proof does not depend
on how all mutants are put into one program.
"""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from typing import Literal

from tightrope.coverage.verdict import Infeasible, Proof
from tightrope.deadline import Deadline
from tightrope.equality.encoded_pair import EncodableVersion, ReusedVersion
from tightrope.equality.equality_proof import seek_difference
from tightrope.equality.same_code import is_same_but_unused
from tightrope.equality.unchanged_values import find_unchanged
from tightrope.errors import CompileError
from tightrope.harness.driver import DRIVER_FILE
from tightrope.inputs.scalars import Input
from tightrope.options.options import Options
from tightrope.program.marks.mutants import SourceMutant, apply_marked, apply_mutant
from tightrope.source.flags import without_preprocessing
from tightrope.units.linking import PLAIN_CTYPE
from tightrope.units.prepared import PreparedUnit

LEAST_SECONDS = 1.0
MOST_SECONDS = 10.0  # for one mutant
SHARE_OF_CODE = 0.2  # of the time: for what the code alone decides; the same for what is compiled to the same code
MOST_UNFORESEEN = 4  # inputs of an undecided mutant
BEYOND = "runs leave the formula where the two may differ"
EQUIVALENT = "the formula of the function and its mutant has no solution in which they behave differently"

SAME_CODE = "the mutant is compiled to the same code, but for values that are never used"


@dataclass(frozen=True, slots=True)
class ComparedMutant:
    """`inputs` may kill it: of `different`, according to the formula; of `unknown`, because runs leave the formula for
    them. `reason`: of unknown, why; of equivalent, what the proof does not cover."""

    verdict: Literal["different", "equivalent", "unknown"]
    inputs: tuple[Input, ...] = ()
    reason: str = ""
    formula: str = ""  # of equivalent: the hash of the formula without a solution; '' if a constant excludes it
    claim: str = EQUIVALENT  # what the formula says

    @property
    def proof(self) -> Infeasible:
        """The verdict about the objective of an equivalent mutant."""
        kind = Proof.UNSATISFIABLE if self.formula else Proof.CONSTANT
        return Infeasible(kind, f"{self.claim} ({self.reason})" if self.reason else self.claim)


SAME = ComparedMutant("equivalent", claim=SAME_CODE)


@dataclass(frozen=True)
class MutantComparer:
    """Compares a unit with its mutants, one after the other. `unit` has their marks."""

    unit: PreparedUnit
    options: Options

    @cached_property
    def _original(self) -> ReusedVersion:
        return ReusedVersion(EncodableVersion.of(self.unit, self.options))

    @cached_property
    def _text(self) -> str:
        """The text in which the mutants have their places."""
        flags = (*self.unit.file.flags.kept, *PLAIN_CTYPE)
        return self.unit.file.text_beside(self.unit.driver.text, flags, DRIVER_FILE).preprocess()

    def find_unchanged(self, mutants: Mapping[str, SourceMutant], seconds: float) -> dict[str, ComparedMutant]:
        """By id, those that are equivalent because their expression never has another value, or is never reached."""
        found = find_unchanged(self.unit, mutants, self.options, SHARE_OF_CODE * seconds)
        return {key: ComparedMutant("equivalent", (), "", formula, why) for key, (why, formula) in found.items()}

    def find_same_code(self, mutants: Mapping[str, SourceMutant], seconds: float) -> dict[str, ComparedMutant]:
        """By id, those that are equivalent because the compiler makes the same of them. Compiling takes long, so one
        mutant of each place comes first, and then those of places where it is the same."""
        deadline = Deadline.after(seconds)
        places: dict[tuple[int, int], list[str]] = {}
        for name, mutant in mutants.items():
            places.setdefault((mutant.start, mutant.end), []).append(name)
        found: dict[str, ComparedMutant] = {}
        later: tuple[list[str], list[str]] = [], []
        for first, *others in places.values():
            is_same = not deadline.is_over and self._is_same_code(mutants[first])
            found.update({first: SAME} if is_same else {})
            later[not is_same].extend(others)
        for name in chain(*later):
            if not deadline.is_over and self._is_same_code(mutants[name]):
                found[name] = SAME
        return found

    def _is_same_code(self, mutant: SourceMutant) -> bool:
        try:
            old, new = self._original.version.program, self._mutate(mutant).program
            return is_same_but_unused(old, new, is_checked=bool(self.options.checks))
        except (CompileError, ValueError):  # is said when it is compared
            return False

    def compare(
        self, mutant: SourceMutant, seconds: float, most_inputs: int = 1, name: str = "", *, is_hasty: bool = False
    ) -> ComparedMutant:
        """`most_inputs` are wanted, in case that tests do not show what the formula says. `is_hasty`: stop at an input
        for which runs leave the formula (an endless loop, or a long one), in the hope that a test shows the rest."""
        foreseen: list[Input] = []
        others: list[Input] = []

        def collect(values: Input, is_foreseen: bool) -> bool:
            (foreseen if is_foreseen else others).append(values)
            return len(foreseen) >= most_inputs or (is_hasty and len(others) >= most_inputs)

        try:
            version = self._mutate(mutant)
            result = seek_difference(
                *(self.unit, version.unit, self.options, seconds, collect),
                known=self._original,
                proof_name=name,
                may_narrow=True,
                version=version,
            )
        except (CompileError, ValueError) as problem:
            return ComparedMutant("unknown", reason=f"the mutant could not be compared: {problem}")
        if result.verdict == "equal":  # maybe in spite of inputs for which the function is undefined
            return ComparedMutant("equivalent", (), result.reason, result.formula)
        if foreseen:
            foreseen.sort(key=lambda values: values != result.input)
            return ComparedMutant("different", (*foreseen, *others), result.reason)
        return ComparedMutant("unknown", tuple(others[:MOST_UNFORESEEN]), result.reason or BEYOND)

    def _mutate(self, mutant: SourceMutant) -> EncodableVersion:
        """The unit of the mutant, if possible with a mark where it was changed."""
        try:
            return EncodableVersion.of(self._with_text(apply_marked(self._text, mutant)), self.options)
        except (CompileError, ValueError):  # a null pointer behind a comma is only a number
            return EncodableVersion.of(self._with_text(apply_mutant(self._text, mutant)), self.options)

    def _with_text(self, text: str) -> PreparedUnit:
        """The unit with this text, which is preprocessed already."""
        unit = self.unit
        flags = replace(unit.file.flags, kept=without_preprocessing(unit.file.flags.kept))
        return replace(unit, file=replace(unit.file, flags=flags), driver=replace(unit.driver, text=text))


def compare_all(
    comparer: MutantComparer,
    mutants: Mapping[str, SourceMutant],
    seconds: float,
    most_inputs: int = 1,
    *,
    is_hasty: bool = False,
) -> dict[str, ComparedMutant]:
    """By id, as far as there is time: no mutant gets more than its share of it, or a few seconds."""
    end = time.perf_counter() + seconds
    found = comparer.find_same_code(mutants, SHARE_OF_CODE * seconds)
    others = [(name, mutant) for name, mutant in mutants.items() if name not in found]
    for number, (name, mutant) in enumerate(others):
        left = end - time.perf_counter()
        if left <= 0:
            break
        share = max(left / (len(others) - number), LEAST_SECONDS)
        limit = min(left, share, MOST_SECONDS)
        found[name] = comparer.compare(mutant, limit, most_inputs, _file_name(name), is_hasty=is_hasty)
    return found


def _file_name(name: str) -> str:
    """The name of a proof's file."""
    return re.sub(r"[^\w.+-]", lambda found: f"_{ord(found[0]):x}_", name) + ".smt2"
