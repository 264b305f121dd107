"""Values that are the same in every run."""

from __future__ import annotations

import pytest

from tightrope.program.flow.constants import Constants
from tightrope.program.ir.model import Block, Function, Instruction, Value
from tightrope.program.ir.types import BOOL, VOID, FunctionType, IntType

I8, I32 = IntType(8), IntType(32)


def constants(*instructions: Instruction) -> Constants:
    block = Block("entry", instructions)
    return Constants(Function("@f", FunctionType(VOID, ()), (), (block,)))


def compare(predicate: str, left: str, right: str) -> Instruction:
    return Instruction("icmp", "", BOOL, "%c", (Value(I32, left), Value(I32, right)), predicate=predicate)


@pytest.mark.parametrize(
    ("predicate", "left", "right", "value"),
    [("ne", "0", "0", 0), ("eq", "0", "0", 1), ("slt", "-1", "0", 1), ("ult", "-1", "0", 0), ("sge", "3", "3", 1)]
    + [("eq", "%x", "0", None), ("eq", "undef", "0", None), ("eq", "poison", "poison", None)],
)
def test_comparison_of_literals(predicate: str, left: str, right: str, value: int | None) -> None:
    assert constants(compare(predicate, left, right)).value(Value(BOOL, "%c")) == value


def test_chain_of_casts() -> None:
    found = constants(
        Instruction("zext", "", I8, "%b", (Value(BOOL, "true"),)),
        Instruction("xor", "", I8, "%n", (Value(I8, "%b"), Value(I8, "-1"))),
        Instruction("sext", "", I32, "%w", (Value(I8, "%n"),)),
        Instruction("trunc", "", BOOL, "%t", (Value(I32, "%w"),)),
    )
    assert found.value(Value(I32, "%w")) == 0xFFFFFFFE
    assert found.value(Value(BOOL, "%t")) == 0


def test_a_value_that_depends_on_itself_is_not_constant() -> None:
    found = constants(Instruction("and", "", I8, "%a", (Value(I8, "%a"), Value(I8, "0"))))
    assert found.value(Value(I8, "%a")) is None


def test_a_phi_that_can_only_have_one_value() -> None:
    def phi(*values: str) -> Instruction:
        return Instruction("phi", "", BOOL, "%p", incoming=tuple((Value(BOOL, each), "b") for each in values))

    assert constants(phi("false", "false")).value(Value(BOOL, "%p")) == 0
    assert constants(phi("false", "true")).value(Value(BOOL, "%p")) is None
    assert constants(phi("false", "%x")).value(Value(BOOL, "%p")) is None
    assert constants(phi("false", "%p")).value(Value(BOOL, "%p")) is None
