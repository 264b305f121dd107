"""Which functions of a module are left out for a unit: those that no run of it can reach."""

from __future__ import annotations

import re

import pytest

from tightrope.program.ir.needed_part import TAKERS, needed_names, needed_part

HEAD = """@shared = global i32 0
@fixed = constant i32 7
"""


def function(name: str, *calls: str, uses: str = "", linkage: str = "dso_local") -> str:
    lines = [*(f"  call void @{each}()" for each in calls), *([f"  {uses}"] if uses else [])]
    return "\n".join((f"define {linkage} void @{name}() #0 {{", "entry:", *lines, "  ret void", "}", ""))


def kept(*parts: str, head: str = HEAD, with_users: bool = False) -> list[str]:
    text = head + "\n".join((function("tightrope_drive", "unit"), *parts)) + "\ndeclare void @extern_one()\n"
    part = needed_part(text, {"unit"}, "tightrope_", with_users=with_users)
    return re.findall(r"^define .*@(\w+)\(", part, re.MULTILINE)


ALWAYS = ["tightrope_drive", "unit"]
READ, WRITE = "%v = load i32, ptr @shared", "store i32 1, ptr @shared"


@pytest.mark.parametrize(
    ("parts", "further", "users"),
    [
        pytest.param([function("unit"), function("other")], [], [], id="nothing to do with it"),
        pytest.param([function("unit", "called"), function("called")], ["called"], [], id="it is called"),
        pytest.param([function("unit"), function("caller", "unit")], [], [], id="a caller of a global function"),
        pytest.param(
            [function("unit", linkage="internal"), function("caller", "unit")],
            [],
            ["caller"],
            id="a caller of a static one",
        ),
        pytest.param(
            [function("unit", uses=READ), function("writer", uses=WRITE)],
            [],
            ["writer"],
            id="it writes what the unit reads",
        ),
        pytest.param(
            [function("unit", uses="%v = load i32, ptr @fixed"), function("reader", uses="%w = load i32, ptr @fixed")],
            [],
            [],
            id="both read a constant",
        ),
        pytest.param(
            [function("unit"), function("writer", uses=WRITE)], [], [], id="a variable that is not the unit's"
        ),
        pytest.param(
            [function("unit"), function("taker", uses="call void @extern_one(ptr @target)"), function("target")],
            [],
            ["taker", "target"],
            id="it takes the address of a function",
        ),
        pytest.param(
            [function("unit"), function("taker", uses="store ptr @extern_one, ptr %p")],
            [],
            ["taker"],
            id="it takes the address of a function without a body",
        ),
        pytest.param(
            [function("unit", "a"), function("a", uses=READ), function("b", "c", uses=WRITE), function("c")],
            ["a"],
            ["b", "c"],
            id="over several steps",
        ),
    ],
)
def test_left_out_is_what_no_run_can_reach(parts: list[str], further: list[str], users: list[str]) -> None:
    """Of a sequence, users of the same variables and static functions stay."""
    assert kept(*parts) == ALWAYS + further
    assert kept(*parts, with_users=True) == ALWAYS + further + users


def test_data_that_the_c_declares_constant_is_shared_with_nobody() -> None:
    parts = (function("unit", uses=READ), function("reader", uses=READ.replace("%v", "%w")))
    text = HEAD + "\n".join(parts)
    assert "@reader" in needed_part(text, {"unit"}, "tightrope_", with_users=True)
    assert "@reader" not in needed_part(text, {"unit"}, "tightrope_", {"shared"}, with_users=True)


def test_functions_in_tables_stay_for_a_sequence_and_constructors_always() -> None:
    tables = "@table = internal constant [1 x ptr] [ptr @entry_of_table]\n@pair = global [1 x ptr] [ptr @table]\n"
    lists = "@llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 1, ptr @begin, ptr null }]\n"
    others = [function("entry_of_table"), function("begin"), function("idle")]
    for_sequence = kept(function("unit"), *others, head=HEAD + tables + lists, with_users=True)
    assert for_sequence == [*ALWAYS, "entry_of_table", "begin"]
    assert kept(function("unit"), *others, head=HEAD + tables + lists) == [*ALWAYS, "begin"]
    left = needed_part(HEAD + tables + lists + "\n".join((function("unit"), *others)), {"unit"}, "tightrope_")
    assert "@table" not in left and "@pair" not in left
    assert "@shared" in left


def test_functions_in_a_table_that_the_unit_reads_stay() -> None:
    tables = "@table = internal constant [1 x ptr] [ptr @entry]\n@other = internal constant [1 x ptr] [ptr @idle]\n"
    unit = function("unit", uses="%v = load ptr, ptr @table")
    others = [function("entry", "called"), function("called"), function("idle")]
    assert kept(unit, *others, head=HEAD + tables) == [*ALWAYS, "entry", "called"]


def test_what_a_call_through_a_pointer_may_reach_is_needed_if_somebody_says_so() -> None:
    taker = function("taker", uses="store ptr @target, ptr %p")
    text = HEAD + "\n".join(
        (function("unit"), taker, function("target", "deeper"), function("deeper"), function("idle"))
    )
    plain = needed_names(text, ["unit"])
    assert plain["unit"].kept == {"unit"}
    assert plain[TAKERS].kept == {"taker", "target", "deeper"}
    assert needed_names(text, ["unit"], {"@unit": ["@target"]})["unit"].kept == {"unit", "target", "deeper"}


def test_a_text_of_which_all_is_needed_is_the_same() -> None:
    text = HEAD + function("unit") + "\n" + function("tightrope_drive", "unit")
    assert needed_part(text, {"unit"}, "tightrope_") is text


@pytest.mark.parametrize(
    "head",
    [
        '@shared = global [12 x i8] c"a constant b"\n',
        "@shared = internal global %struct.constant zeroinitializer\n",
        "@shared = thread_local(localexec) global ptr @constant\n@constant = global i32 0\n",
    ],
)
def test_a_variable_with_the_word_constant_in_its_definition_is_shared(head: str) -> None:
    parts = function("unit", uses=READ), function("writer", uses=WRITE)
    assert kept(*parts, head=head, with_users=True) == [*ALWAYS, "writer"]


@pytest.mark.parametrize("words", ["", "internal ", "private unnamed_addr ", "thread_local(localexec) addrspace(1) "])
def test_a_constant_is_not_shared(words: str) -> None:
    parts = function("unit", uses=READ), function("other", uses="%w = load i32, ptr @shared")
    assert kept(*parts, head=f"@shared = {words}constant i32 7, align 4\n", with_users=True) == ALWAYS
