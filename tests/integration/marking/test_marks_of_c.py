"""From C to marked bitcode: what is there without marks stays as it is, for decisions, labels and accesses."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from tightrope.errors import CompileError
from tightrope.options.options import Options
from tightrope.options.targets import Target
from tightrope.program.c_text.syntax import FunctionSyntax
from tightrope.program.decisions.decisions import Decision
from tightrope.program.ir.model import Function
from tightrope.program.ir.read_ir import normalise, raw_text, read_program
from tightrope.program.marks.labels import Form, Label
from tightrope.program.marks.lockstep import ModuleText
from tightrope.program.marks.marks import CONDITION, LABEL_BEGIN, LABEL_END, REACH, Marks
from tightrope.program.marks.regions import label_blocks, region_blocks
from tightrope.source.toolchain import find_compiler
from tightrope.units import mark_unit as marking
from tightrope.units.mark_unit import CompilableText, choose_marks, mark_text
from tightrope.units.prepare import prepare_file, prepare_unit

TEXT = """
int puts(const char *);
static int helper(int x) { return x && 1; }
static int limit = 3;
int f(int a, int b)
{
    int n = 0;
    if (a > 1 && b)
        n = helper(a);
    else
        n = 2;
    while (n < limit && (a || b)) {
        n++;
        if (puts("more") > 0)
            continue;
        a = b ? a - 1 : 0;
    }
    return a && (b || n > 1);
}
"""


def compiled(text: str = TEXT) -> tuple[CompilableText, bytes]:
    source = CompilableText(find_compiler(), text, (), None, "unit.c")
    return source, source.compile(text, ())


def marked(find_marks: Callable[..., Marks], text: str = TEXT, *functions: str) -> tuple[bytes, bytes, Marks]:
    source, bitcode = compiled(text)
    result, marks = mark_text(source, bitcode, functions or ("@f",), find_marks, {})
    return bitcode, result, marks


def only_decisions(syntax: FunctionSyntax, function: str, decisions: tuple[Decision, ...]) -> Marks:
    return Marks(decisions=decisions)


def body(bitcode: bytes, *without: str) -> list[str]:
    """A function's lines, without some calls."""
    text = ModuleText(raw_text(bitcode))
    return [line.text for line in text.body("@f") if not any(name in line.text for name in without)]


def read(bitcode: bytes) -> Function:
    raw, normal = normalise(bitcode)
    return read_program(normal, raw).functions["@f"]


def test_conditions_are_only_added() -> None:
    before, after, marks = marked(only_decisions)
    assert body(after, CONDITION) == body(before)
    assert not any(each.problem for each in marks.decisions)
    numbers = [int(number) for line in body(after) for number in re.findall(rf"{CONDITION}\(i32 (\d+)", line)]
    assert numbers == list(range(sum(len(each.conditions) for each in marks.decisions)))


def test_places_and_blocks_stay() -> None:
    before, after, _ = marked(only_decisions)
    plain, with_marks = read(before), read(after)
    assert [(each.name, each.places) for each in plain.blocks] == [
        (each.name, each.places) for each in with_marks.blocks
    ]
    shown = [(one.text, one.location) for each in with_marks.blocks for one in each.instructions]
    kept = [(text, place) for text, place in shown if CONDITION not in text]
    assert kept == [(one.text, one.location) for each in plain.blocks for one in each.instructions]


def test_accesses_are_only_added() -> None:
    find_marks = choose_marks(("def-use",))
    assert find_marks is not None
    before, after, marks = marked(find_marks)
    assert body(after, REACH) == body(before)
    assert sum(REACH in line for line in body(after)) == len(marks.accesses) > 10


def labels(*placed: tuple[str, str, Form]) -> Callable[..., Marks]:
    """One label for each: what it stands before, its predicate, how."""

    def find(syntax: FunctionSyntax, function: str, decisions: tuple[Decision, ...]) -> Marks:
        found = []
        for part, predicate, form in placed:
            start = syntax.text.index(part)
            place = (form, start, start + len(part))
            found.append(Label("wm", "", function, decisions[0].location, "", predicate, *place))
        return Marks(decisions=decisions, labels=tuple(found))

    return find


SOME_LABELS = labels(
    ("n = helper(a);", "a == 5 || helper(b) || n", Form.BODY),
    ("n = helper(a);", "a", Form.BODY),
    ("n = 2;", "a ? b > 1 : b > 2", Form.BODY),
    ("n < limit", "limit && n", Form.EXPRESSION),
    ("n++", "a && \"text\"[b & 3] == 't'", Form.STATEMENT),
    ("n++", "a && b", Form.STATEMENT),
    ("return a", "limit", Form.STATEMENT),
)


def outside_of_regions(function: Function) -> list[str]:
    """Instructions in their order, those of regions and marks left out."""
    entered, found = region_blocks(function), []
    for block in function.blocks:
        inside = block.name in entered
        for each in block.instructions:
            inside = each.callee == LABEL_BEGIN or (inside and each.callee != LABEL_END)
            if not inside and each.callee not in (LABEL_END, CONDITION):
                found.append(each.text)
    return found


def test_regions_are_only_added() -> None:
    before, after, marks = marked(SOME_LABELS)
    assert not any(each.problem for each in (*marks.labels, *marks.decisions))
    plain = [each.text for block in read(before).blocks for each in block.instructions]
    sources = re.compile(r", %[\w.]+ \]")
    kept = [sources.sub("", text) for text in outside_of_regions(read(after))]
    assert kept == [sources.sub("", text) for text in plain]
    assert len([line for line in body(after) if LABEL_END in line]) == len(marks.labels)


def test_regions_have_no_places() -> None:
    before, after, _ = marked(SOME_LABELS)
    lines = {(place.file, place.line) for block in read(before).blocks for place in block.places}
    function = read(after)
    assert {(place.file, place.line) for block in function.blocks for place in block.places} == lines
    ends_inside = label_blocks(function)
    assert ends_inside and all(
        block.instructions[-1].location is None for block in function.blocks if block.name in ends_inside
    )


def test_a_constant_that_only_the_compiler_knows() -> None:
    text = "int f(int a) { if (__builtin_object_size(&a, 0) == 8 || a) return 1; return 0; }"
    before, after, marks = marked(only_decisions, text)
    assert marks.decisions[0].constants == {0: False}
    assert body(after, CONDITION) == body(before)


def test_one_bad_label_does_not_spoil_the_others() -> None:
    find = labels(
        ("n++", "a == 1", Form.STATEMENT), ("n++", "no_such_thing", Form.STATEMENT), ("n++", "b", Form.STATEMENT)
    )
    _, after, marks = marked(find)
    good, bad, other = marks.labels
    assert not good.problem and not other.problem and "no_such_thing" in bad.problem
    assert not any(each.problem for each in marks.decisions)
    assert sum(LABEL_BEGIN in line for line in body(after)) == 2


def test_several_functions() -> None:
    _, after, marks = marked(only_decisions, TEXT, "@f", "@helper", "@absent")
    assert {each.function for each in marks.decisions} == {"@f", "@helper"}
    text = ModuleText(raw_text(after))
    assert any(CONDITION in line.text for line in text.body("@helper"))


def test_nothing_to_mark_changes_nothing() -> None:
    before, after, marks = marked(only_decisions, "int f(int a) { return a; }")
    assert after == before and marks == Marks()


def test_a_function_whose_syntax_is_not_known_is_not_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    known = marking.find_syntax

    def find_syntax(compiler: object, text: str, names: list[str], *rest: object, **more: object) -> object:
        if "f" in names:
            raise CompileError("f: too large")
        return known(compiler, text, names, *rest, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(marking, "find_syntax", find_syntax)
    _, after, marks = marked(only_decisions, TEXT, "@f", "@helper")
    lost = [each for each in marks.decisions if each.function == "@f"]
    assert [(each.problem, each.text, each.location.line) for each in lost] == [("f: too large", "decisions of f", 5)]
    assert [each.problem for each in marks.decisions if each.function == "@helper"] == [""]
    assert not any(CONDITION in line for line in body(after))


PROGRAMS = Path(__file__).parents[2] / "programs"


@pytest.mark.parametrize(
    "name", ["short_circuit", "loop_operands", "ternary", "switch", "goto", "boolean", "assertion"]
)
def test_other_objectives_are_the_same_with_marks(name: str) -> None:
    path = PROGRAMS / f"{name}.c"
    options = Options((Target(path),), criteria=("branch", "line"))
    file = prepare_file(find_compiler(), path, options, lambda text: None)
    for function in file.functions:
        plain = prepare_unit(file, function, options)
        others = ("branch", "line", "mcdc", "wm", "statement", "def-use")
        unit = prepare_unit(file, function, replace(options, criteria=others))
        same = [each for each in unit.objectives if each.criterion in options.criteria]
        assert [replace(each, points=()) for each in same] == [replace(each, points=()) for each in plain.objectives]
