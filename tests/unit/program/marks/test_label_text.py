"""Labels written into C text: where they go, and what is said about those that do not."""

import pytest

from tightrope.location import Location
from tightrope.program.marks.label_text import Spelling, Unwritten, plain_spelling, why_unwritable, write_labels
from tightrope.program.marks.labels import Form, Label

FILE = "unit.c"


def make_label(form: Form, start: tuple[int, int], end: tuple[int, int], predicate: str = "p", **rest: object) -> Label:
    offset = start[0] * 100 + start[1]
    return Label(
        "wm", "ror", "@f", Location(FILE, *start), "a as b", predicate, form, offset, end[0] * 100 + end[1],
        Location(FILE, *start), what="ror:<", place_end=Location(FILE, *end), **rest,
    )  # fmt: skip


def written(source: str, *labels: Label) -> str:
    """Without the introduction."""
    text = write_labels(source.encode(), labels, (), plain_spelling(FILE, ["wm"])).decode()
    return text.partition('#include "tightrope.h"\n')[2]


def test_a_statement_on_a_line_of_its_own_has_labels_on_lines_of_their_own():
    labels = [make_label(Form.STATEMENT, (2, 5), (2, 10), each) for each in ("p", "q")]
    assert written("{\n    a = b;\n}\n", *labels) == (
        '{\n    pc_label(p, 1, "wm:ror:<");\n    pc_label(q, 2, "wm:ror:<");\n    a = b;\n}\n'
    )


def test_a_statement_beside_others_has_its_labels_on_the_line():
    assert written("{ a = b; }\n", make_label(Form.STATEMENT, (1, 3), (1, 8))) == (
        '{ pc_label(p, 1, "wm:ror:<"); a = b; }\n'
    )


@pytest.mark.parametrize("rest", [";", " ;", " /* why */ ;"])
def test_a_lone_statement_gets_braces_around_it_and_its_semicolon(rest):
    assert written(f"if (c) a = b{rest} d;\n", make_label(Form.BODY, (1, 8), (1, 13))) == (
        f'if (c) {{ pc_label(p, 1, "wm:ror:<"); a = b{rest} }} d;\n'
    )


def test_an_expression_gets_a_comma():
    assert written("while (a && b);\n", make_label(Form.EXPRESSION, (1, 8), (1, 9))) == (
        'while ((pc_label(p, 1, "wm:ror:<"), a) && b);\n'
    )


def test_brackets_nest():
    inner, outer = make_label(Form.EXPRESSION, (1, 8), (1, 9)), make_label(Form.BODY, (1, 1), (1, 12))
    assert written("while (a) x;\n", inner, outer) == (
        '{ pc_label(p, 2, "wm:ror:<"); while ((pc_label(p, 1, "wm:ror:<"), a)) x; }\n'
    )


def test_columns_count_bytes():
    assert written("/* ä */ a = b;\n", make_label(Form.STATEMENT, (1, 10), (1, 15))) == (
        '/* ä */ pc_label(p, 1, "wm:ror:<"); a = b;\n'
    )


def test_what_ends_with_a_macro_ends_behind_its_arguments():
    label = make_label(Form.EXPRESSION, (1, 8), (1, 15), ends_with_macro=True)
    assert written("while (a < MAX (1, (2)) && b);\n", label) == (
        'while ((pc_label(p, 1, "wm:ror:<"), a < MAX (1, (2))) && b);\n'
    )


@pytest.mark.parametrize(
    ("label", "file", "source", "why"),
    [
        (make_label(Form.STATEMENT, (1, 1), (1, 2)), FILE, b"a;", ""),
        (make_label(Form.STATEMENT, (1, 1), (1, 2), problem="odd"), FILE, b"a;", "odd"),
        (make_label(Form.STATEMENT, (1, 1), (1, 2), is_in_macro=True), FILE, b"a;", "macro"),
        (make_label(Form.STATEMENT, (1, 1), (1, 2)), "other.c", b"a;", "another file"),
        (make_label(Form.STATEMENT, (1, 1), (1, 2)), FILE, b"a;\n# line 7\n", "#line"),
        (make_label(Form.STATEMENT, (1, 0), (1, 2)), FILE, b"a;", "no location"),
    ],
)
def test_why_a_label_cannot_be_written(label, file, source, why):
    found = why_unwritable(label, file, source)
    assert why in found
    assert bool(found) == bool(why)


def test_what_is_not_written_is_listed_and_cannot_end_the_comment():
    label = make_label(Form.STATEMENT, (3, 7), (3, 9))
    bad = [Unwritten(label, "it has a */ in it")]
    text = write_labels(b"int x;", (), bad, plain_spelling(FILE, ["wm"])).decode()
    assert text.endswith(
        "int x;\n/* Labels that could not be inserted (1):\n *   3:7 wm ror: a as b: it has a * / in it\n */\n"
    )


def test_another_spelling_has_its_own_introduction_and_keeps_the_lines():
    labels = [make_label(Form.STATEMENT, (2, 5), (2, 10), each) for each in ("p", "q")]
    spelling = Spelling("LABEL", lambda count: f"/* {count} */\n", keeps_lines=True)
    assert write_labels(b"{\n    a = b;\n}\n", labels, (), spelling).decode() == (
        '/* 2 */\n{\n    LABEL(p, 1, "wm:ror:<"); LABEL(q, 2, "wm:ror:<"); a = b;\n}\n'
    )
