"""Which calls the input of a sequence makes, and inputs that leave one out."""

from __future__ import annotations

from tightrope.inputs.scalars import Scalar
from tightrope.inputs.sequence_inputs import (
    hidden_parameters,
    idle_parameters,
    later_parameters,
    made_calls,
    shorter_inputs,
)
from tightrope.inputs.shape import InputShape, Leaf, Root
from tightrope.program.declarations.sequence import SequenceCall

BYTE = Scalar("unsigned", 8, 1)
NAMES = ("init_n", "calls", "call_1", "put_1_x", "call_2", "put_2_x", "call_3", "put_3_x")


def shape() -> InputShape:
    """init; (put|get)*3, where get has no parameter."""
    calls = [SequenceCall("init", "init", {"n": "init_n"})]
    for at in (1, 2, 3):
        calls.append(SequenceCall(f"put_{at}", "put", {"x": f"put_{at}_x"}, False, "calls", at, f"call_{at}", 0))
        calls.append(SequenceCall(f"get_{at}", "get", {}, True, "calls", at, f"call_{at}", 1))
    roots = [Root(name, Leaf(name, 0, BYTE, slot)) for slot, name in enumerate(NAMES)]
    return InputShape(tuple(roots), None, calls=tuple(calls))


INPUT = (9, 2, 0, 10, 1, 20, 0, 30)  # init(9); put(10); get()


def test_calls_that_are_made() -> None:
    assert [call.name for call in made_calls(shape(), INPUT)] == ["init", "put_1", "get_2"]


def test_parameters_without_a_call() -> None:
    assert idle_parameters(shape(), INPUT) == set(NAMES) - {"init_n", "put_1_x"}
    assert hidden_parameters(shape(), INPUT) == {"put_2_x", "call_3", "put_3_x"}
    assert later_parameters(shape()) == {"call_2", "put_2_x", "call_3", "put_3_x"}


def test_each_call_is_left_out_once() -> None:
    found = list(shorter_inputs(shape(), INPUT))
    made = [[call.name for call in made_calls(shape(), values)] for values in found]
    assert made == [["init", "put_1"], ["init", "get_1"]]
    assert found[1] == (9, 1, 1, 20, 0, 0, 0, 30)


def test_a_shape_without_calls_has_nothing_to_leave_out() -> None:
    plain = InputShape(shape().roots, None)
    assert not idle_parameters(plain, INPUT)
    assert not list(shorter_inputs(plain, INPUT))
