"""The words that a program knows: what is worth putting into its texts.

if (strcmp(word, "quit") == 0)      words       quit
if (c == ';') ... case '\\n':         characters  ;  newline
if (level > 40)                      numbers     39  40  41
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tightrope.program.flow.unit_constants import UnitConstants

USUAL_CHARACTERS = b" \n019azAZ_-+.,;:\"'#"
USUAL_NUMBERS = (b"0", b"1", b"2", b"3", b"4", b"-1", b"0.5", b"1.5")
LARGEST_NUMBER = 1 << 31


@dataclass(frozen=True, slots=True)
class Dictionary:
    """Each once, in the order of the code."""

    words: tuple[bytes, ...]  # of two characters or more
    characters: tuple[bytes, ...]
    numbers: tuple[bytes, ...]  # in decimal


def make_dictionary(constants: UnitConstants, further: Iterable[bytes] = ()) -> Dictionary:
    """From what the code compares, and `further` words."""
    words = [*(text for text in constants.texts if len(text) > 1), *(words[0] for words in constants.options), *further]
    letters = [text for text in constants.texts if len(text) == 1]
    letters += [bytes([number]) for number in (*constants.integers, *constants.letters) if 0 < number < 256]
    letters += [bytes([character]) for character in USUAL_CHARACTERS]
    nearby = [near for number in constants.integers for near in (number, number + 1, number - 1)]
    numbers = [str(number).encode() for number in nearby if abs(number) <= LARGEST_NUMBER]
    numbers += [repr(number).encode() for number in constants.floats if abs(number) < LARGEST_NUMBER]
    return Dictionary(_once(words), _once(letters), _once([*USUAL_NUMBERS, *numbers]))


def _once(found: Iterable[bytes]) -> tuple[bytes, ...]:
    return tuple(dict.fromkeys(found))
