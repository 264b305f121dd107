"""What becomes of a compiler's messages. Real compilers: tests/integration/source."""

from pathlib import Path

import pytest

from tightrope.errors import CompileError, LinkError, UnknownFlagError
from tightrope.location import Location
from tightrope.source.compiler_messages import clean_messages, explain_failure

ERROR = """In file included from x.c:1:
inc/y.h:3:54: error: use of undeclared identifier 'b'
    3 | int f(int a) { return b; }
      |                       ^
1 error generated."""


def test_an_error_in_the_c_is_shown_verbatim_with_its_place():
    error = explain_failure(ERROR, "x.c")
    assert type(error) is CompileError
    assert (error.exit_code, error.location, error.diagnostics) == (4, Location("inc/y.h", 3, 54), ERROR)
    assert ERROR in str(error)


def test_a_missing_header_leads_to_the_flag_that_helps():
    error = explain_failure("x.c:1:10: fatal error: 'nope.h' file not found", "x.c")
    assert "where nope.h is: `-- -I FOLDER`" in error.hint


@pytest.mark.parametrize(
    ("said", "flag"),
    [
        ('error: unknown clang option: "-fnope"', "-fnope"),
        ("clang: error: unknown argument: '-fnope'", "-fnope"),
        ("clang: error: unknown argument '-fanalyzer'; did you mean '-Xanalyzer'?", "-fanalyzer"),
        ("zig: error: unsupported option '-p' for target 'x86_64-unknown-linux-gnu'", "-p"),
        ("error: invalid value 'zzz' in '-std=zzz'\nnote: use 'c89'", "-std=zzz"),
        ("error: unsupported preprocessor arg: -X", "-X"),
    ],
)
def test_a_refused_flag_is_bad_input(said, flag):
    error = explain_failure(said, "x.c")
    assert isinstance(error, UnknownFlagError)
    assert (error.exit_code, error.flag) == (2, flag)
    assert said in str(error)


@pytest.mark.parametrize(
    "said",
    [
        "ld.lld: error: undefined symbol: main\n>>> referenced by crt1.o:(_start)",
        "/usr/bin/ld: x.o: in function `f':\nx.c:3: undefined reference to `g'\nclang: error: linker command failed",
        "/usr/bin/ld: cannot find -lnope: No such file or directory",
        'error: unable to find dynamic system library "nope" using strategy paths_first. searched paths:',
    ],
)
def test_a_failed_link(said):
    assert isinstance(explain_failure(said, "x.c"), LinkError)


def test_a_failure_without_a_word():
    assert "gave no reason" in str(explain_failure("", "x.c"))


def test_messages_name_neither_zig_nor_our_folder():
    said = "zig: warning: optimization flag '-x' is not supported\n/t/a/driver.c:1:2: error: oh\n    1 | int\n\n"
    assert clean_messages(said, Path("/t/a")) == "driver.c:1:2: error: oh\n    1 | int"
