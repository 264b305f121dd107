"""The tree of inputs as lines: columns, long words, and a block of TOML that changes nothing."""

from __future__ import annotations

import io
import json
import tomllib

from tightrope.report.as_inputs import (
    WIDTH,
    ShownFunction,
    ShownInput,
    print_inputs,
    toml_lines,
    tree_lines,
    write_inputs,
)
from tightrope.report.model import Tool


def function(*inputs: ShownInput, **rest: object) -> ShownFunction:
    return ShownFunction("f", "a.c", 3, slots=len(inputs), inputs=inputs, **rest)


def printed(*functions: ShownFunction) -> str:
    to = io.StringIO()
    print_inputs(functions, to)
    return to.getvalue()


def test_columns_are_aligned_and_the_tree_is_indented():
    rows = [ShownInput(0, "p", "struct s *", "one object"), ShownInput(1, "p->name", "char *", "any value")]
    assert [str(line) for line in tree_lines(rows)] == [
        "  p          struct s *  one object",
        "    p->name  char *      any value",
    ]


def test_a_wide_row_pushes_no_other_and_words_are_wrapped():
    rows = [ShownInput(0, "p" * 60, "int", "word " * 40), ShownInput(0, "q", "int", "any value")]
    *wide, last = [str(line) for line in tree_lines(rows)]
    assert len(wide) > 2
    assert all(len(line) <= WIDTH for line in wide[1:])
    assert last == "  q  int  any value"


def test_lines_for_the_spec_file_are_comments():
    shown = function(
        ShownInput(0, "buffer", "char *", "", "nullable, string 8"),
        ShownInput(0, "a->b", "int *", "", "not-null, one"),
        ShownInput(0, "n", "int", ""),
        settings={"string-length": 8, "enum": "members"},
    )
    lines = list(toml_lines(shown))
    assert tomllib.loads("\n".join(lines)) == {"function": {"f": {"input": {}}}}
    asked = tomllib.loads("\n".join(line.removeprefix("# ") for line in lines if " = " in line or line[0] == "["))
    assert asked["function"]["f"] == {
        "string-length": 8,
        "enum": "members",
        "input": {"buffer": "nullable, string 8", "a->b": "not-null, one"},
    }


def test_where_nothing_can_be_chosen_nothing_is_offered():
    assert printed(function(ShownInput(0, "n", "int", "any value"))) == "f  a.c:3   1 slot\n  n  int  any value\n"
    assert printed(function()) == "f  a.c:3   no inputs\n"


def test_the_words_are_explained_once():
    pointer = ShownInput(0, "p", "int *", "one object", "nullable, one")
    call = ShownInput(0, "g", "int (*)(int)", "a stub", "not-null, stub")
    out = printed(function(pointer), function(pointer, call), ShownFunction("h", "a.c", 0, refusal="no"))
    assert out.count("# pointer: ") == out.count("# function: ") == 1
    assert "h  a.c\n  no\n" in out
    assert out.splitlines()[-1].startswith("# function: ")


def test_json(capsys):
    write_inputs([function(settings={"depth": 3})], Tool("tightrope", "1"), "-")
    values = json.loads(capsys.readouterr().out)
    assert values["functions"][0]["settings"] == {"depth": 3}
    assert values["tool"]["name"] == "tightrope"
