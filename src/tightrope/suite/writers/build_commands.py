"""The commands that build written tests by hand."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from tightrope.suite.case import Suite


def build_commands(suite: Suite) -> Iterator[str]:
    """For a shell in the folder of the tests. Linked files with the unit's flags go on the same line, each other one
    has a line of its own before it."""
    stem = suite.file_stem
    files = [f"{stem}.c"]
    for number, each in enumerate(suite.linked, 1):
        if each.flags == suite.flags:
            files.append(suite.path_to(each.source))
            continue
        files.append(f"{stem}_{number}.o")
        yield shlex.join(["cc", *each.flags, "-c", suite.path_to(each.source), "-o", files[-1]])
    yield f"{shlex.join(['cc', '-std=c11', *suite.flags, '-o', stem, *files])} && ./{stem}"
