"""Variations of a text: what fuzzing makes of texts that runs have read.

    insert a word        delete a piece        repeat a piece       change a character
    replace a word       change a number       insert a line        copy a line or a piece of another text

Everything random comes from one source, so that the same seed makes the same texts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from random import Random

from tightrope.search.dictionary import Dictionary

MOST_CHANGES = 4  # of one text
MOST_WORDS = 6  # of a new line
BLANKS = b" \t\n"
_NUMBER = re.compile(rb"-?[0-9]+(?:\.[0-9]+)?")


class Variations:
    """Makes texts from texts and a dictionary."""

    def __init__(self, dictionary: Dictionary, source: Random) -> None:
        self.dictionary, self._source = dictionary, source
        self._changes: tuple[Callable[[bytes, Sequence[bytes]], bytes], ...] = (
            self._insert_word,
            self._insert_word,
            self._insert_line,
            self._insert_line,
            self._copy_line,
            self._copy_line,
            self._change_character,
            self._delete_piece,
            self._repeat_piece,
            self._change_number,
            self._replace_word,
            self._copy_piece,
        )

    def vary(self, text: bytes, others: Sequence[bytes]) -> bytes:
        """The text after one change or a few; `others` are texts that were read in its place."""
        for _ in range(self._below(MOST_CHANGES) + 1):
            text = self._source.choice(self._changes)(text, others)
        return text

    def new_word(self) -> bytes:
        """Something that the program may expect as a whole: a word, a number, a character."""
        kind = self._below(4)
        if self.dictionary.words and kind < 2:
            return self._source.choice(self.dictionary.words)
        return self._new_number() if kind == 2 else self._source.choice(self.dictionary.characters)

    def _new_number(self) -> bytes:
        return b"%d" % self._below(8) if self._below(2) else self._source.choice(self.dictionary.numbers)

    def _new_line(self) -> bytes:
        """Numbers alone, a word before numbers, or anything."""
        count, kind = self._below(MOST_WORDS) + 1, self._below(3)
        words = [self._new_number() if kind < 2 else self.new_word() for _ in range(count)]
        if kind == 1:
            words[0] = self.new_word()
        return b" ".join(words)

    # -- changes

    def _insert_word(self, text: bytes, others: Sequence[bytes]) -> bytes:
        at, word = self._below(len(text) + 1), self.new_word()
        if self._below(2):
            before = b" " if at and text[at - 1] not in BLANKS else b""
            after = b" " if at < len(text) and text[at] not in BLANKS else b""
            word = before + word + after
        return text[:at] + word + text[at:]

    def _insert_line(self, text: bytes, others: Sequence[bytes]) -> bytes:
        return self._with_line(text, self._new_line())

    def _copy_line(self, text: bytes, others: Sequence[bytes]) -> bytes:
        """A line of this text or of another one."""
        lines = self._source.choice([text, *others]).splitlines()
        return self._with_line(text, self._source.choice(lines)) if lines else self._insert_line(text, others)

    def _with_line(self, text: bytes, line: bytes) -> bytes:
        """In front of another line; half the time at the end."""
        at = len(text)
        if self._below(2):
            at = self._source.choice([0, *(at + 1 for at, character in enumerate(text) if character == 10)])
        before = b"\n" if at and text[at - 1] != 10 else b""
        return text[:at] + before + line + b"\n" + text[at:]

    def _change_character(self, text: bytes, others: Sequence[bytes]) -> bytes:
        if not text:
            return self._source.choice(self.dictionary.characters)
        at = self._below(len(text))
        character = self._source.choice(self.dictionary.characters)
        if not self._below(4):
            character = bytes([text[at] ^ (1 << self._below(8))])
        return text[:at] + character + text[at + 1 :]

    def _delete_piece(self, text: bytes, others: Sequence[bytes]) -> bytes:
        start, end = self._piece(text)
        return text[:start] + text[end:]

    def _repeat_piece(self, text: bytes, others: Sequence[bytes]) -> bytes:
        start, end = self._piece(text)
        return text[:end] + text[start:end] * (1 + self._below(3)) + text[end:]

    def _change_number(self, text: bytes, others: Sequence[bytes]) -> bytes:
        found = list(_NUMBER.finditer(text))
        if not found:
            return self._insert_word(text, others)
        one = self._source.choice(found)
        return text[: one.start()] + self._new_number() + text[one.end() :]

    def _replace_word(self, text: bytes, others: Sequence[bytes]) -> bytes:
        found = list(re.finditer(rb"[^ \t\n]+", text))
        if not found:
            return self._insert_word(text, others)
        one = self._source.choice(found)
        return text[: one.start()] + self.new_word() + text[one.end() :]

    def _copy_piece(self, text: bytes, others: Sequence[bytes]) -> bytes:
        """A piece of another text at some place, or from there on."""
        if not others:
            return self._repeat_piece(text, others)
        other, at = self._source.choice(others), self._below(len(text) + 1)
        start, end = self._piece(other)
        if self._below(2):
            return text[:at] + other[start:]
        return text[:at] + other[start:end] + text[at:]

    def _piece(self, text: bytes) -> tuple[int, int]:
        """A short one is as likely as a long one; often whole lines."""
        if not text:
            return 0, 0
        if not self._below(3):
            lines = text.splitlines(keepends=True)
            first = self._below(len(lines))
            start = sum(len(line) for line in lines[:first])
            return start, start + len(lines[first])
        start = self._below(len(text))
        return start, min(len(text), start + 1 + self._below(1 << self._below(6)))

    def _below(self, end: int) -> int:
        """A number from 0 to end - 1. `randrange` takes three times as long."""
        return int(self._source.random() * end)
