"""Questions to the compiler about slices of C."""

from __future__ import annotations

from tightrope.program.c_text.folding import question_text, read_answers

TEXT = "if (a && (b || c))\n"
SPANS = [(4, 17), (10, 16), (9, 17)]
DUMP = """{
  "kind": "EnumConstantDecl",
  "name": "tightrope_value_0",
  "inner": [
    {
      "kind": "ConstantExpr",
      "value": "0",
      "inner": [
        {
          "value": "1"
        }
      ]
    }
  ]
}
{
  "name": "tightrope_value_2",
  "inner": [
    {
      "value": "2"
    }
  ]
}
"""


def test_slices_may_contain_each_other_and_keep_their_lines():
    text = question_text(TEXT, SPANS)
    assert text.count("\n") == 1
    assert text.count("(") == text.count(")")
    assert text.startswith(
        "if ((__extension__ ({ enum { tightrope_value_0 = __builtin_constant_p(!!(a && (b || c))) ? "
    )
    assert "tightrope_value_1 = __builtin_constant_p(!!(b || c)) ? 1 + !!(b || c) : 0 }; 0; }), (b || c)))" in text


def test_line_markers_in_a_slice_are_left_out_of_the_question():
    assert "!!(a == 1)" in question_text('a ==\n# 7 "unit.c"\n1', [(0, 19)])


def test_answers_of_some():
    """One that clang has not printed was not asked about."""
    assert read_answers(DUMP, SPANS) == {(4, 17): None, (9, 17): True}
