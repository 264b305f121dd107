import pytest

from tightrope.program.ir.lexer import (
    cut_attachments,
    cut_header_attachments,
    debug_number,
    find_close,
    split_commas,
    unescape,
)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("i32 %a, %b", ["i32 %a", "%b"]),
        ("{ i32, ptr } %a, i32 7", ["{ i32, ptr } %a", "i32 7"]),
        ('[3 x i8] c"a,b", align 1', ['[3 x i8] c"a,b"', "align 1"]),
        ("ptr getelementptr (i8, ptr @g, i64 1), i64 2", ["ptr getelementptr (i8, ptr @g, i64 1)", "i64 2"]),
        ('ptr %")(", ptr %x', ['ptr %")("', "ptr %x"]),
        ("<2 x i32> <i32 1, i32 2>, <2 x i32> %v", ["<2 x i32> <i32 1, i32 2>", "<2 x i32> %v"]),
    ],
)
def test_commas_inside_brackets_and_strings_do_not_split(text, parts):
    assert split_commas(text) == parts


def test_a_bracket_in_a_string_does_not_close():
    text = '(ptr %")", i32 1) #3'
    assert text[find_close(text, 0) :] == ") #3"


def test_an_open_bracket_is_an_error():
    with pytest.raises(ValueError, match="never closed"):
        find_close("(a", 0)


@pytest.mark.parametrize(
    ("line", "text", "number"),
    [
        ("%x = add i32 %a, 1, !dbg !12", "%x = add i32 %a, 1", 12),
        ("ret void", "ret void", None),
        ('call void asm ", !dbg !5", ""(), !dbg !7, !srcloc !8', 'call void asm ", !dbg !5", ""()', 7),
        ('store [9 x i8] c", !dbg !5", ptr %p', 'store [9 x i8] c", !dbg !5", ptr %p', None),
        ("br label %x, !llvm.loop !9", "br label %x", None),
    ],
)
def test_metadata_is_cut_off(line, text, number):
    kept, attachments = cut_attachments(line)
    assert (kept, debug_number(attachments)) == (text, number)


def test_metadata_of_functions_is_cut_off():
    assert cut_header_attachments("define i32 @f() #0 !dbg !9 !prof !10 {") == (
        "define i32 @f() #0 {",
        " !dbg !9 !prof !10",
    )
    assert cut_header_attachments("declare !dbg !9 i32 @f()")[0] == "declare i32 @f()"


def test_escapes_stand_for_utf8():
    assert unescape(r"a\22b\5C\C3\A9") == 'a"b\\é'
