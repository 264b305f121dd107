"""How many arguments, and how long: read off small programs in IR."""

from __future__ import annotations

from tightrope.inputs.argument_needs import FEW_ARGUMENTS, MOST_ARGUMENTS, SOME_ARGUMENTS, find_argument_needs
from tightrope.program.ir.read_ir import read_program

HEAD = """declare i32 @strcmp(ptr, ptr)
@.str = private constant [21 x i8] c"--with-a-long-option\\00"
"""


def needs(body: str, more: str = "", head: str = HEAD):
    text = f"{head}{more}define i32 @main(i32 %argc, ptr %argv) {{\nentry:\n{body}\n  ret i32 0\n}}\n"
    return find_argument_needs(read_program(text))


def test_by_default_there_are_a_few() -> None:
    assert needs("").count == FEW_ARGUMENTS
    assert needs("  %x = icmp sgt i32 %argc, 1").count == FEW_ARGUMENTS


def test_what_argc_is_compared_with_counts() -> None:
    """13 arguments and fewer, and one more: argc is 1 to 14."""
    assert needs("  %x = icmp slt i32 %argc, 13").count == 13
    assert needs("  switch i32 %argc, label %a [\n    i32 5, label %a\n  ]\na:").count == 5


def test_what_argv_is_indexed_with_counts() -> None:
    found = needs("  %p = getelementptr inbounds ptr, ptr %argv, i64 6\n  %x = load ptr, ptr %p")
    assert found.count == 6


def test_values_are_followed_through_memory_and_constants() -> None:
    body = "  %m = alloca i32\n  store i32 %argc, ptr %m\n  %v = load i32, ptr %m\n  %d = add nsw i32 %v, -1\n"
    assert needs(body + "  %x = icmp sgt i32 %d, 8").count == 8


def test_an_index_that_depends_on_something_needs_some() -> None:
    found = needs("  %i = sext i32 %argc to i64\n  %p = getelementptr inbounds ptr, ptr %argv, i64 %i")
    assert found.count == SOME_ARGUMENTS


def test_functions_that_get_them_are_read_too() -> None:
    other = "define void @options(ptr %v, i32 %n) {\n  %x = icmp eq i32 %n, 7\n  ret void\n}\n"
    assert needs("  call void @options(ptr %argv, i32 %argc)", other).count == 7
    assert needs("  call i32 @getopt(i32 %argc, ptr %argv)", "declare i32 @getopt(i32, ptr)\n").count == SOME_ARGUMENTS


def test_there_is_a_limit() -> None:
    assert needs("  %x = icmp slt i32 %argc, 5000").count == MOST_ARGUMENTS


def test_texts_and_lengths_say_how_long_arguments_are() -> None:
    assert needs("").length == 0
    assert needs("  %x = call i32 @strcmp(ptr null, ptr @.str)").length == 21
    assert needs("  %l = load i64, ptr null\n  %x = icmp ult i64 %l, 80").length == 82
    characters = "  %c = load i8, ptr null\n  %w = sext i8 %c to i32\n  %x = icmp sle i32 %w, 122"
    assert needs(characters).length == 0
