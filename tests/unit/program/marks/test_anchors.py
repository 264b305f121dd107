"""Anchored text: brackets nest, statements keep their braces, lines stay."""

from tightrope.location import Location
from tightrope.program.decisions.boolean_tree import And, ConditionRef
from tightrope.program.decisions.decisions import Condition, Decision
from tightrope.program.marks.accesses import Access
from tightrope.program.marks.anchors import DECLARATIONS, Anchor, anchor_text, list_anchors, with_constants
from tightrope.program.marks.labels import Form, Label
from tightrope.program.marks.marks import Marks

HERE = Location("f.c", 1)


def condition(text: str, part: str, **more: object) -> Condition:
    start = text.index(part)
    return Condition(part, HERE, start, start + len(part), **more)  # type: ignore[arg-type]


def decision(*conditions: Condition) -> Decision:
    return Decision("@f", "", HERE, "if", And(ConditionRef(0), ConditionRef(1)), conditions)


def label(text: str, part: str, predicate: str, form: Form) -> Label:
    start = text.index(part)
    return Label("wm", "", "@f", HERE, "", predicate, form, start, start + len(part))


def access(text: str, part: str, form: Form) -> Access:
    start = text.index(part)
    return Access("@f", "x", "1", True, HERE, form, start, start + len(part))


def anchored(text: str, marks: Marks) -> str:
    whole = anchor_text(text, marks, list_anchors(marks))
    assert whole.startswith(DECLARATIONS) and whole.count("\n") == text.count("\n") + 1
    return whole.removeprefix(DECLARATIONS)


def test_conditions_are_numbered_over_all_decisions() -> None:
    text = "if (a && b) return c && d;"
    one = decision(condition(text, "a"), condition(text, "b"))
    other = decision(condition(text, "c"), condition(text, "d"))
    assert anchored(text, Marks((one, other))) == (
        "if (tightrope_condition(0, (a)) && tightrope_condition(1, (b)))"
        " return tightrope_condition(2, (c)) && tightrope_condition(3, (d));"
    )


def test_a_constant_keeps_its_number_but_is_left_alone() -> None:
    text = "if (1 && b) ;"
    marks = Marks((decision(condition(text, "1", constant=True), condition(text, "b")),))
    assert anchored(text, marks) == "if (1 && tightrope_condition(1, (b))) ;"


def test_conversions_that_c_makes_are_written_out() -> None:
    text = "x == c"
    marks = Marks((decision(condition(text, "x", tested_type="int"), condition(text, "c", number_type="int")),))
    assert anchored(text, marks) == "tightrope_condition(0, (int)(x)) == (int)tightrope_condition(1, (c))"


def test_a_condition_inside_of_a_condition() -> None:
    text = "if (f(a) && b) ;"
    outer = decision(condition(text, "f(a)"), condition(text, "b"))
    inner = decision(condition(text, "a"))
    shown = anchored(text, Marks((outer, inner)))
    assert shown == ("if (tightrope_condition(0, (f(tightrope_condition(2, (a))))) && tightrope_condition(1, (b))) ;")


def test_labels_stand_outside_of_conditions_and_in_order() -> None:
    text = "while (a && b) x = 1;"
    marks = Marks(
        (decision(condition(text, "a"), condition(text, "b")),),
        (label(text, "a", "p", Form.EXPRESSION), label(text, "a", "q", Form.EXPRESSION)),
    )
    assert anchored(text, marks) == (
        "while ((tightrope_label_begin(0), tightrope_label_end(0, (p)),"
        " (tightrope_label_begin(1), tightrope_label_end(1, (q)), tightrope_condition(0, (a))))"
        " && tightrope_condition(1, (b))) x = 1;"
    )


def test_a_lone_statement_gets_braces_that_hold_its_semicolon() -> None:
    text = "if (a)\n  x = y;\nelse z = 1;"
    marks = Marks(labels=(label(text, "x = y", "y == 0", Form.BODY), label(text, "z = 1;", "1\n", Form.BODY)))
    assert anchored(text, marks) == (
        "if (a)\n  { tightrope_label_begin(0), tightrope_label_end(0, (y == 0)); x = y; }\n"
        "else { tightrope_label_begin(1), tightrope_label_end(1, (1)); z = 1; }"
    )


def test_a_line_marker_may_stand_before_the_semicolon() -> None:
    text = 'if (a) x = y\n# 7 "f.c"\n;z();'
    marks = Marks(labels=(label(text, "x = y", "1", Form.BODY),))
    assert anchored(text, marks).endswith('x = y\n# 7 "f.c"\n; }z();')


def test_accesses_before_and_behind_statements() -> None:
    text = "x = x + 1;y = x;"
    marks = Marks(
        labels=(label(text, "y = x", "1", Form.STATEMENT),),
        accesses=(access(text, "x = x + 1;", Form.STATEMENT), access(text, "x = x + 1;", Form.BEHIND)),
    )
    assert anchored(text, marks) == (
        "tightrope_reach(0); x = x + 1; tightrope_reach(1);"
        "tightrope_label_begin(0), tightrope_label_end(0, (1)); y = x;"
    )


def test_what_has_a_problem_has_no_anchor() -> None:
    text = "a && b"
    bad = Decision("@f", "", HERE, "if", ConditionRef(0), (condition(text, "a"),), problem="no")
    good = Decision("@f", "", HERE, "if", ConditionRef(0), (condition(text, "b"),))
    assert list_anchors(Marks((bad, good))) == [Anchor("decisions", 1)]
    assert anchored(text, Marks((bad, good))) == "a && tightrope_condition(1, (b))"


def test_constants_that_the_compiler_found() -> None:
    text = "a && b"
    marks = Marks((decision(condition(text, "a"), condition(text, "b")), decision(condition(text, "a"))))
    changed = with_constants(marks, {1: True, 2: False})
    assert [each.constants for each in changed.decisions] == [{1: True}, {0: False}]
