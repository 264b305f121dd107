"""The language of sequences, and which calls an input makes."""

from __future__ import annotations

import pytest

from tightrope.program.declarations.sequence import SequenceCall, SequenceItem, read_call_sequence


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("step", (SequenceItem(("step",)),)),
        (" init ; step * 8 ", (SequenceItem(("init",)), SequenceItem(("step",), 8))),
        ("(put|get | put)*3", (SequenceItem(("put", "get"), 3),)),
        ("(a | b); c*1", (SequenceItem(("a", "b")), SequenceItem(("c",), 1))),
    ],
)
def test_what_is_read(text: str, items: tuple[SequenceItem, ...]) -> None:
    found = read_call_sequence(text)
    assert found.items == items
    assert read_call_sequence(str(found)) == found


@pytest.mark.parametrize("text", ["", "step*", "step*0", "step*257", "3", "a b", "(a|)", "init;", "(a; b)*2"])
def test_what_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"is not a call|can be repeated"):
        read_call_sequence(text)


@pytest.mark.parametrize(
    ("text", "leading", "repeated"),
    [
        ("init; step*8", ["init"], ("step",)),
        ("init; (a|b); step*8; stop", ["init", "(a|b)"], ("step", "stop")),
        ("init; step", ["init"], ("step",)),
        ("step", [], ("step",)),
        ("step*2; init", [], ("step", "init")),
    ],
)
def test_what_comes_before_repetitions(text: str, leading: list[str], repeated: tuple[str, ...]) -> None:
    found = read_call_sequence(text)
    assert [str(item) for item in found.leading] == leading
    assert found.repeated == repeated


def test_names_are_identifiers() -> None:
    assert read_call_sequence("init; step*8").name == "sequence_init_step"
    assert read_call_sequence("; ".join(f"function_{at}" for at in range(9))).name == "sequence_function_0_and_8_more"


def test_which_calls_are_made() -> None:
    always, second = SequenceCall("init", "init", {}), SequenceCall("get_2", "get", {}, True, "calls", 2, "call_2", 1)
    assert always.is_made({})
    assert [second.is_made({"calls": count, "call_2": 1}) for count in (1, 2, 3)] == [False, True, True]
    assert not second.is_made({"calls": 2, "call_2": 0})
