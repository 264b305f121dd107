"""Variations of texts: the same source of random numbers makes the same texts, and each kind of change occurs."""

from __future__ import annotations

from random import Random

from tightrope.search.dictionary import Dictionary
from tightrope.search.variations import Variations

WORDS = Dictionary((b"quit", b"load"), (b";", b"\n"), (b"41", b"-1"))


def made(seed: int, text: bytes, count: int = 400) -> list[bytes]:
    variations = Variations(WORDS, Random(seed))
    return [variations.vary(text, [b"other line\nlast"]) for _ in range(count)]


def test_the_same_seed_makes_the_same_texts() -> None:
    assert made(7, b"load 3\nquit\n") == made(7, b"load 3\nquit\n")
    assert made(7, b"load 3\nquit\n") != made(8, b"load 3\nquit\n")


def test_an_empty_text_gets_words_and_lines() -> None:
    found = set(made(0, b""))
    assert b"quit" in found and b"load\n" in found and b";" in found


def test_every_kind_of_change_occurs() -> None:
    text = b"load 3\nquit\n"
    found = set(made(0, text, 4_000))
    assert b"load 41\nquit\n" in found  # another number
    assert b"quit\n" in found  # a line is gone
    assert b"load 3\nquit\nquit\n" in found  # a line is repeated
    assert b"load 3\nquit\nother line\n" in found  # a line of another text
    assert b"quit 3\nquit\n" in found  # another word
    assert any(each.startswith(b"load 3;") for each in found)


def test_most_variations_differ_from_what_they_were_made_of() -> None:
    assert sum(each != b"load 3\nquit\n" for each in made(3, b"load 3\nquit\n")) > 350
