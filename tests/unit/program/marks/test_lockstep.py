"""Two texts of a function: anchors are erased, regions skipped, and whatever else differs is noticed."""

import pytest

from tightrope.program.marks.lockstep import ConditionMark, Mismatch, ModuleText, Region, constant_conditions, pair

PLAIN = """\
@.str.4 = private unnamed_addr constant [2 x i8] c"x\\00", align 1
@table = internal global i32 0

define i32 @f(i32 noundef %a) #0 !dbg !2 {
entry:
  %i = load i32, ptr %a.addr, align 4, !dbg !3
  %tobool = icmp ne i32 %i, 0, !dbg !3
  br i1 %tobool, label %then, label %end, !dbg !4

then:                                             ; preds = %entry
    #dbg_declare(ptr %b, !33, !DIExpression(), !34)
  %call = call i32 @g(ptr noundef @.str.4), !dbg !5
  br label %end, !dbg !5

end:                                              ; preds = %then, %entry
  %x = phi i32 [ 0, %entry ], [ 1, %then ], !dbg !6
  ret i32 %x, !dbg !7
}
"""
ANCHORED = """\
@.str = private unnamed_addr constant [2 x i8] c"x\\00", align 1
@table = internal global i32 0

define i32 @f(i32 noundef %a) #7 !dbg !12 {
entry:
  %i = load i32, ptr %a.addr, align 4, !dbg !13
  %tobool = icmp ne i32 %i, 0, !dbg !13
  %call = call zeroext i1 @tightrope_condition(i32 noundef 5, i1 noundef zeroext %tobool), !dbg !13
  br i1 %call, label %then, label %end, !dbg !14

then:                                             ; preds = %entry
  %call1 = call i32 @g(ptr noundef @.str) #3, !dbg !15
  br label %end, !dbg !15

end:                                              ; preds = %then, %entry
  %i2 = phi i32 [ 0, %entry ], [ 1, %then ], !dbg !16
  ret i32 %i2, !dbg !17
}
"""
REGION = """\
  call void @tightrope_label_begin(i32 noundef 2), !dbg !20
  %r = icmp eq i32 %i, 7, !dbg !20
  br i1 %r, label %land.rhs, label %land.end, !dbg !20

land.rhs:                                         ; preds = %then
  br label %land.end

land.end:                                         ; preds = %land.rhs, %then
  %p = phi i1 [ false, %then ], [ true, %land.rhs ], !dbg !20
  call void @tightrope_label_end(i32 noundef 2, i1 noundef zeroext %p), !dbg !20
"""


def line_of(text: str, part: str) -> int:
    return next(number for number, line in enumerate(text.split("\n")) if part in line)


def test_a_condition_belongs_behind_what_computes_it() -> None:
    found = pair(ModuleText(PLAIN), ModuleText(ANCHORED), "@f")
    assert found.insertions == [ConditionMark(line_of(PLAIN, "br i1 %tobool"), 5, "%tobool")]
    assert found.names["%i2"] == "%x" and found.names["@.str"] == "@.str.4"


def with_region() -> str:
    text = ANCHORED.replace("  %call1", f"{REGION}  %call1")
    return text.replace("[ 1, %then ], !dbg !16", "[ 1, %land.end ], !dbg !16").replace("%then, %entry", "%land.end")


def test_a_region_is_skipped_and_its_last_block_is_the_one_it_began_in() -> None:
    found = pair(ModuleText(PLAIN), ModuleText(with_region()), "@f")
    _, region = found.insertions
    assert isinstance(region, Region)
    assert (region.begins_in, region.ends_in) == ("%then", "%land.end")
    assert region.line == line_of(PLAIN, "call i32 @g")
    assert found.inside == {"%r", "%p", "%land.rhs", "%land.end"}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("icmp ne i32 %i, 0", "icmp ne i32 %i, 1"),
        ("icmp ne i32 %i", "icmp eq i32 %i"),
        ("label %then, label %end, !dbg !14", "label %end, label %then, !dbg !14"),
        ("br i1 %call", "br i1 %tobool2"),
        ('c"x\\00"', 'c"y\\00"'),
        ("@g(", "@h("),
        ("[ 0, %entry ], [ 1, %then ]", "[ 0, %then ], [ 1, %entry ]"),
        ("  ret i32 %i2, !dbg !17\n", ""),
        ("  ret i32 %i2, !dbg !17\n", "  ret i32 %i2, !dbg !17\n  ret i32 %i2\n"),
        ("i32 noundef %a)", "i64 noundef %a)"),
    ],
)
def test_other_code_is_noticed(old: str, new: str) -> None:
    assert old in ANCHORED
    with pytest.raises(Mismatch):
        pair(ModuleText(PLAIN), ModuleText(ANCHORED.replace(old, new)), "@f")


def test_what_a_region_computes_is_not_used_outside() -> None:
    with pytest.raises(Mismatch, match="label"):
        pair(ModuleText(PLAIN), ModuleText(with_region().replace("ret i32 %i2", "ret i32 %p")), "@f")


def test_a_variable_is_not_taken_for_another() -> None:
    plain, other = (text.replace("@.str", "@table").replace("@table.4", "@table") for text in (PLAIN, ANCHORED))
    pair(ModuleText(plain), ModuleText(other), "@f")
    with pytest.raises(Mismatch):
        pair(ModuleText(plain), ModuleText(other.replace("ptr noundef @table", "ptr noundef @another")), "@f")


def test_there_must_be_code() -> None:
    with pytest.raises(Mismatch, match="no code"):
        pair(ModuleText(PLAIN), ModuleText("declare i32 @f(i32)\n"), "@f")


def test_anchors_with_constants() -> None:
    assert constant_conditions(ModuleText(ANCHORED), "@f") == {}
    folded = ANCHORED.replace("zeroext %tobool)", "zeroext false)")
    assert constant_conditions(ModuleText(folded), "@f") == {5: False}
