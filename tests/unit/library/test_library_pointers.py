"""What is known of library functions, under all their names."""

from __future__ import annotations

import pytest

from tightrope.library.library_pointers import find_pointer_effects, is_annotation
from tightrope.library.table import Effect


@pytest.mark.parametrize(
    "symbol",
    ["@memcpy", "@__memcpy_chk", "@llvm.memcpy.p0.p0.i64", "@llvm.memcpy.inline.p0.p0.i64", "@__builtin_memcpy"],
)
def test_names_of_memcpy(symbol: str) -> None:
    found = find_pointer_effects(symbol)
    assert found is not None and found.is_copy and found.result_from == 0
    assert found.arguments[:2] == (Effect("w", (2,)), Effect("r", (2,)))


@pytest.mark.parametrize("symbol", ["@strtol", "@__isoc23_strtol"])
def test_strtol_sets_a_pointer_into_its_first_argument(symbol: str) -> None:
    found = find_pointer_effects(symbol)
    assert found is not None and found.arguments[:2] == (Effect("s"), Effect("e", (0,)))


@pytest.mark.parametrize("symbol", ["@my_strlen", "@main", "@llvm.dbg.value", "%callback", "", "@strlength"])
def test_other_functions(symbol: str) -> None:
    assert find_pointer_effects(symbol) is None


@pytest.mark.parametrize(
    ("symbol", "position"), [("@__vsnprintf_chk", 4), ("@__sprintf_chk", 3), ("@__vprintf_chk", 1)]
)
def test_checked_printing_has_its_format_after_what_is_checked(symbol: str, position: int) -> None:
    found = find_pointer_effects(symbol)
    assert found is not None and found.arguments[position] == Effect("s")


def test_sizes_may_be_products() -> None:
    found = find_pointer_effects("@fread")
    assert found is not None and found.arguments[0] == Effect("w", (1, 2))


def test_comparing_is_no_copy() -> None:
    found = find_pointer_effects("@memcmp")
    assert found is not None and not found.is_copy


def test_annotations() -> None:
    assert is_annotation("@llvm.dbg.declare") and is_annotation("@llvm.lifetime.start.p0")
    assert not is_annotation("@llvm.memset.p0.i64") and not is_annotation("@f")
