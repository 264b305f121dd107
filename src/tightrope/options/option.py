"""An option: how users write it, which commands take it, and where --help lists it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from tightrope.options.choices import Choices

# Which commands take an option: those that ...
SEARCHING = ("generate", "diff")  # look for inputs
RUNNING = ("generate", "measure", "diff")  # run the function
SHAPING = ("generate", "inputs", "measure", "diff")  # choose what the function is given
COVERING = ("generate", "objectives", "annotate", "measure", "diff")  # are about objectives
COMPILING = ("generate", "inputs", "objectives", "annotate", "measure", "diff", "doctor")  # are given C
REPORTING = ("generate", "inputs", "objectives", "measure", "diff", "explain", "doctor", "status")  # write JSON
NAMING = ("generate", "inputs", "objectives", "annotate", "measure", "diff", "explain")  # are about functions


class Group(StrEnum):
    """Headings of --help, in their order."""

    COVER = "What to cover"
    TESTS = "Tests that exist"
    CHANGE = "Comparing two versions"
    SEARCH = "Search"
    PROOFS = "Solver and proofs"
    LIMITS = "Limits"
    INPUTS = "Inputs"
    STUBS = "Stubs"
    OUTPUT = "Output"
    PROJECT = "Project"


@dataclass(frozen=True, slots=True)
class Option:
    """How users write one field of `Options`. `read` raises ValueError with the sentence to show."""

    flags: tuple[str, ...]  # ('-c', '--criterion')
    group: Group
    commands: tuple[str, ...]  # that take it
    help: str  # one short line, without choices and default
    more: str = ""  # additional text for the page of options
    read: Callable[[str], Any] = str
    metavar: str = ""
    repeats: bool = False  # may be given several times; the values are joined
    is_switch: bool = False  # takes no value
    if_bare: str = ""  # the value of an option that may also stand without one
    for_function: bool = False  # allowed under [function.NAME] of a spec file
    in_spec: bool = True
    joins: str = ""  # separator that joins a list in a table of a spec file
    choices: Choices | None = None
    listed_by: str = ""  # the command that prints the choices, where they are too many for --help

    @property
    def flag(self) -> str:
        """The long one."""
        return max(self.flags, key=len)

    @property
    def key(self) -> str:
        """The name in a spec file: the long flag without dashes."""
        return self.flag.removeprefix("--")

    @property
    def short_help(self) -> str:
        """The line in --help, without the default."""
        if self.listed_by:
            return f"{self.help}: see `tightrope {self.listed_by}`"
        return f"{self.help}: {', '.join(self.choices())}" if self.choices else self.help


def option(default: Any, *flags: str, **rest: Any) -> Any:
    """A field of `Options` that is an option."""
    return field(default=default, metadata={"option": Option(flags, **rest)})
