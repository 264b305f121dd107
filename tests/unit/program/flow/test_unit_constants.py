"""Constants of a unit, read off small programs in IR."""

from __future__ import annotations

import pytest

from tightrope.program.flow.unit_constants import (
    LONGEST_TEXT,
    UnitConstants,
    collect_constants,
    compared_with,
    scanned_text,
)
from tightrope.program.ir.read_ir import read_program

NUMBERS = """define i32 @f(i32 %n, double %d, float %e, i8 %c) {
entry:
  %a = icmp eq i32 %n, -3
  %b = fcmp ogt double %d, 2.500000e+00
  %g = fcmp olt float %e, 0x3FB99999A0000000
  %h = fcmp olt double %d, 0xFFF0000000000000
  %k = add i32 %n, 1234
  switch i32 %k, label %other [
    i32 7, label %other
    i32 -9, label %other
  ]
other:
  %t = call i1 @g(i8 %c)
  ret i32 0
}
define i1 @g(i8 %c) {
  %x = icmp eq i8 %c, 120
  %again = icmp ne i8 %c, 120
  ret i1 %x
}
define i1 @never_called(i8 %c) {
  %x = icmp eq i8 %c, 55
  ret i1 %x
}
"""

TEXTS = """@.str = private constant [6 x i8] c"hello\\00"
@.str.1 = private constant [8 x i8] c"a\\22b\\5Cc\\0A\\00\\00"
@.str.2 = private constant [4 x i8] c"GET\\00"
@table = internal constant [1 x ptr] [ptr @.str.2]
@message = private constant [9 x i8] c"not this\\00"
@changing = global [4 x i8] c"nor\\00"
declare i32 @strcmp(ptr, ptr)
declare i32 @printf(ptr, ...)
define i32 @own(ptr %t) {
  ret i32 0
}
define i32 @f(ptr %s) {
  %a = call i32 @strcmp(ptr %s, ptr @.str)
  %b = call i32 @own(ptr @.str.1)
  %c = load ptr, ptr @table
  %d = call i32 (ptr, ...) @printf(ptr @message)
  %e = load i8, ptr @changing
  ret i32 %a
}
"""


SCANNED = """@.form = private constant [21 x i8] c"%lu.%*d %2s at <%x>%n\\00"
@.message = private constant [3 x i8] c"%s\\00"
declare i32 @__isoc99_sscanf(ptr, ptr, ...)
declare i32 @printf(ptr, ...)
define i32 @f(ptr %s) {
  %a = call i32 (ptr, ptr, ...) @__isoc99_sscanf(ptr %s, ptr @.form, ptr %s)
  %b = call i32 (ptr, ...) @printf(ptr @.message, ptr %s)
  ret i32 %a
}
"""


OPTIONS = """@.letters = private constant [6 x i8] c"+vt:x\\00"
@.long = private constant [5 x i8] c"help\\00"
@table = internal constant [1 x ptr] [ptr @.long]
declare i32 @getopt_long(i32, ptr, ptr, ptr, ptr)
define i32 @f(i32 %n, ptr %s) {
  %a = call i32 @getopt_long(i32 %n, ptr %s, ptr @.letters, ptr @table, ptr null)
  ret i32 %a
}
"""


def constants(text: str) -> UnitConstants:
    return collect_constants(read_program(text), "@f")


def test_options_of_a_command_line() -> None:
    assert constants(OPTIONS).options == ((b"-v",), (b"-t", b"1"), (b"-x",), (b"--help",))


def test_numbers_that_are_compared_in_what_may_be_called() -> None:
    found = constants(NUMBERS)
    assert found.integers == (-3, 120, 7, -9)
    assert found.floats == (2.5, 0.10000000149011612, -float("inf"))
    assert found.texts == ()


def test_texts_that_code_may_look_at() -> None:
    assert constants(TEXTS) == UnitConstants(texts=(b"hello", b'a"b\\c\n', b"GET"))


def test_long_texts_are_no_words() -> None:
    text = TEXTS.replace("[6 x i8]", f"[{LONGEST_TEXT + 2} x i8]").replace("hello", "x" * (LONGEST_TEXT + 1))
    assert b"GET" in constants(text).texts
    assert not any(found.startswith(b"xx") for found in constants(text).texts)


def test_what_a_parameter_is_compared_with() -> None:
    text = """
define i32 @f(ptr %p, i32 %len) {
  %wide = sext i32 %len to i64
  %a = icmp sge i32 %len, 128
  %b = icmp ult i64 16, %wide
  %c = icmp eq ptr %p, null
  ret i32 0
}
"""
    function = read_program(text).functions["@f"]
    assert (compared_with(function, "%len"), compared_with(function, "%p")) == ((128, 16), ())


def test_a_format_of_scanf_is_a_text_that_it_accepts() -> None:
    found = constants(SCANNED)
    assert found.texts == found.scanned == (b"1.1 aa at <1>",)


def test_there_is_room_for_more_than_the_shortest_text_that_a_format_accepts() -> None:
    assert constants(SCANNED).room == 2 * len(b"1.1 aa at <1>")
    assert constants(TEXTS).room == max(map(len, constants(TEXTS).texts))
    assert constants(NUMBERS).room == 0


PRINTED = """@made = internal constant [9 x i8] c"<%%%ds%%d\\00"
@message = internal constant [4 x i8] c"a%d\\00"
declare i32 @sprintf(ptr, ptr, ...)
declare i32 @sscanf(ptr, ptr, ...)
define i32 @f(ptr %s, ptr %buffer) {
entry:
  %a = call i32 (ptr, ptr, ...) @sprintf(ptr %buffer, ptr @made, i32 5)
  %b = call i32 (ptr, ptr, ...) @sprintf(ptr %buffer, ptr @message, i32 5)
  %c = call i32 (ptr, ptr, ...) @sscanf(ptr %s, ptr %buffer, ptr %s, ptr %s)
  ret i32 %c
}
"""


def test_a_format_of_scanf_that_the_code_prints_is_a_text_too() -> None:
    assert constants(PRINTED).texts == (b"<a 1",)  # the format is `<%5s%d`


@pytest.mark.parametrize(
    ("form", "text"),
    [
        (b"%d%d", b"1 1"),  # without a space, it would be one number
        (b"%s%c", b"aa"),
        (b"%[^,],%3[0-9] 100%%", b"a,000 100%"),
        (b"base %s ", b"base a"),
        (b"no conversion", b""),
        (b"%n", b""),
    ],
)
def test_texts_for_formats(form: bytes, text: bytes) -> None:
    assert scanned_text(form) == text


SEARCHED = """@names = internal constant [16 x i8] c"start\\00stop\\00show\\00"
@numbers = internal constant [6 x i8] c"\\00\\01\\02\\00\\03\\04"
declare ptr @strchr(ptr, i32)
declare ptr @index(ptr, i32)
define ptr @f(ptr %s, ptr %t) {
entry:
  %a = call ptr @strchr(ptr %s, i32 61)
  %b = call ptr @index(ptr %t, i32 35)
  %c = load i8, ptr @names
  %d = icmp eq i8 %c, 7
  %e = load i8, ptr @numbers
  ret ptr %a
}
"""


def test_characters_that_are_looked_for_are_letters() -> None:
    found = collect_constants(read_program(SEARCHED), "@f")
    assert (found.letters, found.integers) == ((61, 35), (7,))


def test_all_words_of_a_packed_table_are_texts() -> None:
    assert collect_constants(read_program(SEARCHED), "@f").texts == (b"start", b"stop", b"show")
