"""Which functions make blocks of the heap, and which may end them."""

from __future__ import annotations

from tightrope.commands.diff.impact.points_to import _ALLOCATORS
from tightrope.commands.diff.impact.valid_pointers import _FREES


def test_whatever_resizes_may_free() -> None:
    assert {"@free", "@tightrope_free", "@realloc", "@reallocarray"} <= _FREES


def test_whatever_answers_a_new_block_allocates() -> None:
    assert {
        "@malloc",
        "@valloc",
        "@realloc",
        "@reallocarray",
        "@memalign",
        "@wcsdup",
        "@tightrope_aligned",
    } <= _ALLOCATORS


def test_who_gives_a_block_through_an_argument_is_like_any_other_function() -> None:
    assert not {"@posix_memalign", "@asprintf", "@getline"} & _ALLOCATORS
