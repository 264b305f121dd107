from tightrope.errors import (
    CompileError,
    InternalError,
    LinkError,
    NothingMatchedError,
    TightropeError,
    ToolchainError,
    UnknownFlagError,
    UnsupportedError,
    UsageError,
)
from tightrope.location import Location


def test_a_message_says_where_what_and_what_next():
    error = UsageError("no such thing", location=Location("a.c", 3, 7), hint="try another", slug="thing")
    assert str(error) == "a.c:3:7: no such thing [thing]\n  help: try another"
    assert str(UsageError("no such thing")) == "no such thing"


def test_the_text_of_another_program_is_shown_verbatim_and_names_the_place_itself():
    said = "a.c:3:7: error: oh\n    3 | x\n      | ^"
    error = CompileError("a.c does not compile", diagnostics=said, location=Location("a.c", 3, 7), hint="mend it")
    assert str(error) == f"a.c does not compile [does-not-compile]\n{said}\n  help: mend it"


def test_exit_codes():
    codes = {kind: kind.exit_code for kind in (UsageError, InternalError, CompileError, NothingMatchedError)}
    assert list(codes.values()) == [2, 3, 4, 5]
    assert {UnsupportedError.exit_code, UnknownFlagError.exit_code, ToolchainError.exit_code} == {2}
    assert LinkError.exit_code == 4
    assert all(issubclass(kind, TightropeError) for kind in codes)


def test_an_internal_error_asks_for_a_report():
    assert "report it" in str(InternalError("two solvers disagree"))
