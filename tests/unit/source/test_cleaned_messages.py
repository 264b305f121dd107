"""What is shown of a compiler's messages."""

from __future__ import annotations

from pathlib import Path

from tightrope.source.compiler_messages import clean_messages

RENAMED = """\
asm.c:3:16: warning: unknown attribute 'tightrope_interrupt' ignored [-Wunknown-attributes]
    3 | __attribute__((interrupt)) void tick(void) { }
      |                ^~~~~~~~~
<command line>:2:19: note: expanded from macro 'interrupt'
    2 | #define interrupt tightrope_interrupt
      |                   ^~~~~~~~~~~~~~~~~~~
"""
OTHER = """\
asm.c:9:5: warning: unused variable 'n' [-Wunused-variable]
    9 | int n;
      |     ^
"""


def test_nothing_is_said_about_attributes_that_were_renamed() -> None:
    assert clean_messages(f"{RENAMED}1 warning generated.\n", Path("/nowhere")) == ""
    for text in (RENAMED + OTHER, OTHER + RENAMED, RENAMED + OTHER + RENAMED):
        assert clean_messages(f"{text}2 warnings generated.\n", Path("/nowhere")) == OTHER.strip()


def test_other_messages_are_kept() -> None:
    text = f"{OTHER}1 warning generated."
    assert clean_messages(f"zig: warning: -x is ignored\n{text}\n", Path("/nowhere")) == text
