"""Which mutants of a text compile: all of them are compiled at once, and those that the compiler complains about are
left out."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from tightrope.errors import CompileError
from tightrope.program.c_text.preprocessed import blank_other_bodies
from tightrope.program.marks.mutants import Schemata, SourceMutant, write_schemata

MOST_ATTEMPTS = 40  # compilations
_ERROR = re.compile(r":(\d+):(\d+): (?:fatal )?error: (.*)")
_MARKER = re.compile(r"^#[ \t]*(?:line[ \t]+)?\d[^\n]*$", re.MULTILINE)
_EVERY_ERROR = "-ferror-limit=0"
UNCOMPILABLE = "it does not compile: {}"


Compile = Callable[[str, Sequence[str]], object]  # a preprocessed text, with further flags; raises CompileError


def keep_compilable(
    compile_text: Compile, preprocessed: str, mutants: Sequence[SourceMutant]
) -> tuple[SourceMutant, ...]:
    """The mutants, with a problem for each that does not compile."""
    names = dict.fromkeys(each.function.removeprefix("@").strip('"') for each in mutants)
    small = _MARKER.sub(lambda found: " " * len(found[0]), blank_other_bodies(preprocessed, *names))
    return _Sieve(compile_text, small, list(mutants)).keep()


@dataclass(slots=True)
class _Sieve:
    compile_text: Compile
    text: str  # without line markers, so that places in messages are places in it
    mutants: list[SourceMutant]
    attempts: int = 0

    def keep(self) -> tuple[SourceMutant, ...]:
        while self.attempts < MOST_ATTEMPTS:
            schemata = write_schemata(self.text, self.mutants)
            messages = self._complaints(schemata)
            if messages is None:
                return tuple(self.mutants)
            blamed = dict(_blame(schemata, messages))
            if not blamed:
                break
            self._drop(blamed)
        self._halve([number for number, each in enumerate(self.mutants, 1) if not each.problem], [])
        return tuple(self.mutants)

    def _complaints(self, schemata: Schemata) -> str | None:
        """What the compiler says about the text; None if it compiles."""
        self.attempts += 1
        try:
            self.compile_text(schemata.text, (_EVERY_ERROR,))
        except CompileError as problem:
            return problem.diagnostics or problem.message
        return None

    def _drop(self, blamed: dict[int, str]) -> None:
        for number, reason in blamed.items():
            self.mutants[number - 1] = replace(self.mutants[number - 1], problem=UNCOMPILABLE.format(reason))

    def _halve(self, numbers: list[int], good: list[int]) -> None:
        """Bisect: for errors that are not at the place of a mutant."""
        if not numbers:
            return
        reason = self._complaint_about({*good, *numbers})
        if reason is None:
            good += numbers
        elif len(numbers) == 1 or self.attempts >= 2 * MOST_ATTEMPTS:
            self._drop(dict.fromkeys(numbers, reason))
        else:
            middle = len(numbers) // 2
            self._halve(numbers[:middle], good)
            self._halve(numbers[middle:], good)

    def _complaint_about(self, chosen: Collection[int]) -> str | None:
        """The first error if only these mutants are in the text."""
        rows = [
            each if number in chosen else replace(each, problem="left out")
            for number, each in enumerate(self.mutants, 1)
        ]
        messages = self._complaints(write_schemata(self.text, rows))
        if messages is None:
            return None
        found = _ERROR.search(messages)
        return found[3] if found else messages.split("\n")[0]


def _blame(schemata: Schemata, messages: str) -> Iterator[tuple[int, str]]:
    """The mutants that errors are about: the replacement at the place, or all alternatives of the place."""
    lines = schemata.text.split("\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    for found in _ERROR.finditer(messages):
        number, column = int(found[1]), int(found[2])
        if number > len(lines):
            continue
        before = lines[number - 1].encode("utf-8", errors="surrogateescape")[: column - 1]
        offset = starts[number - 1] + len(before.decode("utf-8", errors="replace"))
        yield from ((mutant, found[3]) for mutant in schemata.find(offset))
