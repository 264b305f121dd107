"""The syntax of a function, from what clang dumps. Real dumps: tests/criteria/test_decisions.py."""

from __future__ import annotations

import json

from tightrope.location import Location
from tightrope.program.c_text.syntax import SyntaxNode, has_definition, read_syntax

TEXT = '# 1 "unit.c"\nint f(int a) { return a > (7); }\n'


def place(word: str, line: int | None = None, column: int = 0, **further) -> dict:
    at = {"offset": TEXT.index(word), "tokLen": len(word), "col": column, **further}
    return at if line is None else {**at, "line": line}


def node(kind: str, begin: dict, end: dict, *inner: dict, **further) -> dict:
    return {"id": "0x1", "kind": kind, "range": {"begin": begin, "end": end}, **further, "inner": list(inner)}


def function(*inner: dict, name: str = "f", **further) -> dict:
    begin, end = further.pop("begin", place("int")), further.pop("end", place("}"))
    return node("FunctionDecl", begin, end, node("CompoundStmt", begin, end, *inner), name=name, **further)


def dump(*documents: dict) -> str:
    return "".join(json.dumps(each, indent=2) + "\n" for each in documents)


PROTOTYPE = {"id": "0x9", "kind": "FunctionDecl", "name": "f", "range": {"begin": {}, "end": {}}}


def only_statement(root: SyntaxNode) -> SyntaxNode:
    body = root.children[0]
    assert body is not None and body.children[0] is not None
    return body.children[0]


def test_the_definition_is_chosen_among_similar_names():
    found = read_syntax("f", TEXT, dump(PROTOTYPE, function(name="ff"), function(), PROTOTYPE))
    assert found is not None
    assert (found.root.name, found.root.kind) == ("f", "FunctionDecl")


def test_without_a_definition():
    assert read_syntax("f", TEXT, dump(PROTOTYPE, function(name="ff"))) is None
    assert not has_definition("", "f")


def test_a_node_is_a_slice_of_the_text():
    found = read_syntax("f", TEXT, dump(function(node("BinaryOperator", place("a >"), place("7"), opcode=">"))))
    assert found is not None
    comparison = only_statement(found.root)
    assert (found.slice(comparison), comparison.opcode) == ("a > (7", ">")


def test_without_a_second_dump_there_are_lines_without_columns():
    found = read_syntax("f", TEXT, dump(function()), folder="/project")
    assert found is not None
    assert found.root.location == Location("/project/unit.c", 1)


def test_places_are_those_of_the_second_dump():
    """A line and a file that are left out are those of the place before, also where that was the end of a node."""
    first = function(node("NullStmt", place("return"), place("a >")), node("NullStmt", place("7"), place("7")))
    second = function(
        node("NullStmt", place("return", 7, 3), place("a >", 8, 5)),
        node("NullStmt", place("7", None, 9), place("7", None, 9)),
        begin=place("int", 5, 1, file="t/../unit.c"),
        end=place("}", 9, 1),
    )
    found = read_syntax("f", TEXT, dump(first), dump(second), "/project")
    assert found is not None
    body = found.root.children[0]
    assert body is not None
    places = [found.root.location, *(each.location for each in body.children if each)]
    assert places == [Location("/project/unit.c", line, column) for line, column in ((5, 1), (7, 3), (8, 9))]
    assert found.root.end_location == Location("/project/unit.c", 9, 2)


def test_what_a_macro_makes_is_where_the_macro_is_used():
    used = {"spellingLoc": place("7", 2, 20, file="head.h"), "expansionLoc": place("a >", 4, 6, file="unit.c")}
    plain = function(node("NullStmt", used, used), begin=place("int", 3, 1, file="unit.c"))
    found = read_syntax("f", TEXT, dump(function(node("NullStmt", place("7"), place("7")))), dump(plain))
    assert found is not None
    statement = only_statement(found.root)
    assert (statement.location, statement.is_in_macro) == (Location("unit.c", 4, 6), True)
    assert (statement.end_location, statement.macro_end) == (None, None)


def test_what_ends_in_a_macro():
    used = {"spellingLoc": place("7", 2, 20, file="head.h"), "expansionLoc": place("a >", 4, 6, file="unit.c")}
    plain = function(node("NullStmt", place("return", 4, 2), used), begin=place("int", 3, 1, file="unit.c"))
    found = read_syntax("f", TEXT, dump(function(node("NullStmt", place("return"), place("7")))), dump(plain))
    assert found is not None
    statement = only_statement(found.root)
    assert (statement.is_in_macro, statement.end_location) == (False, None)
    assert statement.macro_end == Location("unit.c", 4, 9)


def test_a_second_tree_of_another_shape_is_not_used():
    other = function(begin=place("int", 5, 1, file="unit.c"))
    found = read_syntax("f", TEXT, dump(function(node("NullStmt", place("7"), place("7")))), dump(other))
    assert found is not None
    assert found.root.location == Location("unit.c", 1)


def test_the_name_that_we_gave_the_function_is_no_macro_of_the_user():
    ours = {"spellingLoc": place("7", 2, 20, file="<built-in>"), "expansionLoc": place("f", 4, 6, file="unit.c")}
    plain = function(node("NullStmt", ours, ours), name="tightrope_dumped_f")
    found = read_syntax("f", TEXT, dump(function(node("NullStmt", place("f"), place("f")))), dump(plain))
    assert found is not None
    assert not only_statement(found.root).is_in_macro


def test_lines_that_the_user_renumbers():
    """With #line, clang tells in part which line is meant; the markers of the preprocessor always do."""
    text = '# 40 "grammar.y"\n' + TEXT.split("\n")[1]
    plain = function(begin={**place("int", 5, 3, file="unit.c"), "presumedLine": 40, "presumedFile": "grammar.y"})
    at_start = {"offset": text.index("int"), "tokLen": 3}
    found = read_syntax("f", text, dump(function(begin=at_start, end=at_start)), dump(plain))
    assert found is not None
    assert found.root.location == Location("grammar.y", 40, 3)


def test_bytes_are_counted_by_clang_and_characters_by_us():
    text = 'char *s = "é"; int f(void) { }'
    begin = {"offset": len(text[: text.index("int")].encode()), "tokLen": 3}
    found = read_syntax("f", text, dump(function(begin=begin, end=begin)))
    assert found is not None
    assert found.slice(found.root) == "int"


def test_elements_of_an_array_that_is_filled_up():
    filled = {**node("InitListExpr", place("7"), place("7")), "array_filler": [{"kind": "Filler"}, {"kind": "Element"}]}
    del filled["inner"]
    found = read_syntax("f", TEXT, dump(function(filled)))
    assert found is not None
    assert [each.kind for each in only_statement(found.root).children if each] == ["Filler", "Element"]


def test_absent_parts_are_none():
    found = read_syntax("f", TEXT, dump(function(node("ForStmt", place("7"), place("7"), {}, {}))), "")
    assert found is not None
    assert only_statement(found.root).children == (None, None)
