"""Which comments and macros speak of which function."""

from __future__ import annotations

import pytest

from tightrope.inputs.source_wishes import find_source_wishes
from tightrope.location import Location


def said(source: str, function: str) -> list[str]:
    line = next(number for number, text in enumerate(source.split("\n"), 1) if f"{function}(" in text)
    return [
        f"{wish.location.line}: {wish.text}" for wish in find_source_wishes(source, function, Location("a.c", line))
    ]


SOURCE = """\
#include <x.h> // tightrope: no = 1
int x; /* tightrope: no = 2 */
/* Reads one record.
 * tightrope: buffer = array 16, length n; out = not-null
 * tightrope: assume n <= 16
 *
 * More about it: not for Tightrope.
 */
#ifdef FAST
TIGHTROPE_INPUT("out->next "
                "= null");
#endif
static int
read_record(const char *buffer, int n /* tightrope: n = any */, struct record *out)
{
    TIGHTROPE_INPUT("(*out)->next = null");       // tightrope: out->name = string 12
    if (x) { call("tightrope: text = 1", '{'); }
#if FAST
    while (x) {
#else
    while (!x) {
#endif
    }
} // tightrope: last = 1

// tightrope: above = 1
int other(void) { return 0; }
"""


def test_comments_and_macros_above_and_inside():
    assert said(SOURCE, "read_record") == [
        "4: buffer = array 16, length n",
        "4: out = not-null",
        "5: assume n <= 16",
        "10: out->next  = null",
        "14: n = any",
        "16: (*out)->next = null",
        "16: out->name = string 12",
        "24: last = 1",
    ]
    assert said(SOURCE, "other") == ["26: above = 1"]


GOES_ON = [
    ("/* tightrope:\n *   a = 3;\n *   b = 4\n * no = 5 */", ["1: a = 3", "1: b = 4"]),
    ("/* tightrope: a = array 3,\n not-null */", ["1: a = array 3, not-null"]),
    ("/* tightrope: a = 3;\n\n b = 4 */", ["1: a = 3"]),
    ("/** tightrope: a = 3 **/", ["1: a = 3"]),
    ("/// tightrope: a = 3\n//! tightrope: b = 4", ["1: a = 3", "2: b = 4"]),
    ("/*tightrope: a = 3*/", ["1: a = 3"]),
    ("// tightrope: *a = any", ["1: *a = any"]),
    ("/* tightrope:\n * *a = any */", ["1: *a = any"]),
    ("// tightrope:", ["1: "]),
    ("// see tightrope: a tool", []),
    ('TIGHTROPE_INPUT("a = 3")', ["1: a = 3"]),
    ("TIGHTROPE_INPUT(a);", ["1: "]),
    ("TIGHTROPE_INPUT", ["1: "]),
    ("// tightrope: a = 3\n#define X 1", []),
    ("// tightrope: a = 3\n#pragma pack(1)", ["1: a = 3"]),
]


@pytest.mark.parametrize(("above", "texts"), GOES_ON)
def test_forms(above, texts):
    assert said(f"{above}\nint f(int a) {{ return a; }}", "f") == texts


def test_a_definition_that_ends_nowhere_and_a_name_out_of_a_macro():
    assert said("// tightrope: a = 3\nint f(", "f") == ["1: a = 3"]
    assert find_source_wishes("// tightrope: a = 3\nMAKE(f)\n", "make_f", Location("a.c", 2)) == ()
    assert find_source_wishes("", "f", Location("a.c", 1)) == ()
