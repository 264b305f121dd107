"""Errors that the user can act on.

Each error says what happened, where in the C, and what to do next; its slug names an entry of
docs/reference/messages.md with cause and remedy. The class determines the exit code of the command:

    TightropeError
      UsageError (2)            what was asked for, or given, cannot be used
        UnsupportedError          ... because Tightrope does not do that yet
        UnknownFlagError          ... because the compiler does not know a flag
        ToolchainError            ... because no usable compiler was found
      InternalError (3)         an internal check failed: a bug of Tightrope
      CompileError (4)          the C does not compile
        LinkError                 ... or does not link
      NothingMatchedError (5)   no function or objective matches the request
"""

from __future__ import annotations

from typing import ClassVar

from tightrope.location import Location


class TightropeError(Exception):
    """Base of all errors; `str(error)` has the place, the message, the slug to look up, and the hint.

    `diagnostics` is the output of another program, shown verbatim. It contains the place already, so the location is
    then not shown in front.
    """

    exit_code: ClassVar[int] = 3
    usual_slug: ClassVar[str] = ""
    usual_hint: ClassVar[str] = ""

    def __init__(
        self, message: str, *, location: Location | None = None, hint: str = "", slug: str = "", diagnostics: str = ""
    ) -> None:
        super().__init__(message)
        self.message = message
        self.location = location
        self.hint = hint or self.usual_hint
        self.slug = slug or self.usual_slug
        self.diagnostics = diagnostics

    def about(self, function: str) -> str:
        """The message for a row that begins with the name of the function."""
        return self.message.removeprefix(f"{function}: ")

    def __str__(self) -> str:
        place = f"{self.location}: " if self.location and not self.diagnostics else ""
        slug = f" [{self.slug}]" if self.slug else ""
        diagnostics = f"\n{self.diagnostics}" if self.diagnostics else ""
        hint = f"\n  help: {self.hint}" if self.hint else ""
        return f"{place}{self.message}{slug}{diagnostics}{hint}"


class UsageError(TightropeError):
    """The command line, a spec, a file or a folder cannot be used as given."""

    exit_code = 2


class UnsupportedError(UsageError):
    """A valid request that Tightrope does not support; docs/reference/limitations.md lists them."""


class UnknownFlagError(UsageError):
    """The compiler rejected a flag before it read the C."""

    usual_slug = "unknown-flag"

    def __init__(self, message: str, *, flag: str, hint: str = "", diagnostics: str = "") -> None:
        super().__init__(message, hint=hint, diagnostics=diagnostics)
        self.flag = flag


class ToolchainError(UsageError):
    """No compiler, or one that Tightrope cannot work with."""


class InternalError(TightropeError):
    """An internal check failed. The code under test is never the cause."""

    exit_code = 3
    usual_slug = "internal"
    usual_hint = "this is a bug of Tightrope; please report it with the C file and the command"


class CompileError(TightropeError):
    """The compiler rejected the C; `diagnostics` has its messages."""

    exit_code = 4
    usual_slug = "does-not-compile"


class LinkError(CompileError):
    """The C compiles, but does not link."""

    usual_slug = "does-not-link"


class NothingMatchedError(TightropeError):
    """The request is well formed, but nothing in the C matches it."""

    exit_code = 5
