"""Marks in the text of a module: where they belong, with what they need, and all the rest untouched."""

import pytest

from tightrope.program.ir.read_ir import assemble, raw_text
from tightrope.program.marks.lockstep import Mismatch, ModuleText, pair
from tightrope.program.marks.transplant import Transplant

PLAIN = """\
%struct.pair = type { i32, i32 }

@.str = private constant [2 x i8] c"x\\00"

define i32 @f(i1 %a, ptr %p) {
entry:
  br i1 %a, label %then, label %end

then:
  %i = load i32, ptr %p
  br label %end

end:
  %x = phi i32 [ 0, %entry ], [ %i, %then ]
  %y = phi ptr [ @.str, %entry ], [ null, %then ]
  ret i32 %x
}
"""
# The same with a condition, two labels in one block, and what only the labels use.
ANCHORED = """\
%struct.other = type { i32, i64 }

@.str = private constant [5 x i8] c"text\\00"
@.str.1 = private constant [2 x i8] c"x\\00"
@limit = external global i32

define i32 @f(i1 %a, ptr %p) {
entry:
  %call = call i1 @tightrope_condition(i32 4, i1 %a)
  br i1 %call, label %then, label %end

then:
  call void @tightrope_label_begin(i32 0)
  %i = load i32, ptr @limit
  %c = icmp eq i32 %i, 3
  br i1 %c, label %land.rhs, label %land.end

land.rhs:
  %g = getelementptr %struct.other, ptr %p, i32 0, i32 1
  %h = call i32 @outside(ptr @.str) #2
  %d = icmp ne i32 %h, 0
  br label %land.end

land.end:
  %r = phi i1 [ false, %then ], [ %d, %land.rhs ]
  call void @tightrope_label_end(i32 0, i1 %r)
  call void @tightrope_label_begin(i32 1)
  call void @tightrope_label_end(i32 1, i1 %a)
  %i1 = load i32, ptr %p
  br label %end

end:
  %x = phi i32 [ 0, %entry ], [ %i1, %land.end ]
  %y = phi ptr [ @.str.1, %entry ], [ null, %land.end ]
  ret i32 %x
}

declare i1 @tightrope_condition(i32, i1)
declare void @tightrope_label_begin(i32)
declare void @tightrope_label_end(i32, i1)
declare i32 @outside(ptr)
"""


def transplanted(anchored: str = ANCHORED) -> str:
    plain, other = ModuleText(PLAIN), ModuleText(anchored)
    transplant = Transplant(plain, other)
    transplant.insert("@f", pair(plain, other, "@f"))
    return transplant.text()


def body(text: str) -> list[str]:
    return [line.text.strip() for line in ModuleText(text).body("@f")]


def test_the_whole_function() -> None:
    text = transplanted()
    assert raw_text(assemble(text))
    assert body(text) == [
        "entry:",
        "call void @tightrope_condition(i32 4, i1 %a)",
        "br i1 %a, label %then, label %end",
        "then:",
        "call void @tightrope_label_begin(i32 0)",
        "%tightrope.i = load i32, ptr @limit",
        "%tightrope.c = icmp eq i32 %tightrope.i, 3",
        "br i1 %tightrope.c, label %tightrope.land.rhs, label %tightrope.land.end",
        "tightrope.land.rhs:",
        "%tightrope.g = getelementptr %tightrope.struct.other, ptr %p, i32 0, i32 1",
        "%tightrope.h = call i32 @outside(ptr @tightrope..str)",
        "%tightrope.d = icmp ne i32 %tightrope.h, 0",
        "br label %tightrope.land.end",
        "tightrope.land.end:",
        "%tightrope.r = phi i1 [ false, %then ], [ %tightrope.d, %tightrope.land.rhs ]",
        "call void @tightrope_label_end(i32 0, i1 %tightrope.r)",
        "call void @tightrope_label_begin(i32 1)",
        "call void @tightrope_label_end(i32 1, i1 %a)",
        "%i = load i32, ptr %p",
        "br label %end",
        "end:",
        "%x = phi i32 [ 0, %entry ], [ %i, %tightrope.land.end ]",
        "%y = phi ptr [ @.str, %entry ], [ null, %tightrope.land.end ]",
        "ret i32 %x",
    ]


def test_what_only_labels_use_is_added_under_names_of_its_own() -> None:
    added = [line for line in transplanted().split("\n") if line not in PLAIN.split("\n")]
    assert '@tightrope..str = private constant [5 x i8] c"text\\00"' in added
    assert "%tightrope.struct.other = type { i32, i64 }" in added
    assert "@limit = external global i32" in added and "declare i32 @outside(ptr)" in added


def test_a_function_that_is_only_there_for_a_label_is_refused() -> None:
    defined = ANCHORED.replace("declare i32 @outside(ptr)", "define i32 @outside(ptr %q) {\n  ret i32 1\n}")
    with pytest.raises(Mismatch, match="@outside"):
        transplanted(defined)


def test_text_that_is_no_module() -> None:
    with pytest.raises(ValueError, match="expected"):
        assemble("define nonsense")
