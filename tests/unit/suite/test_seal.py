"""The hash in the head of a written file."""

from __future__ import annotations

import pytest

from tightrope.errors import UsageError
from tightrope.suite.folder import MARKER, check_file, write_file
from tightrope.suite.seal import UNSEALED, SealState, seal, seal_state

TEXT = f"/* {MARKER}: tests.\n   {UNSEALED}: a remark. */\nint a = 1;\n"


def test_a_sealed_text_is_intact_and_sealing_again_changes_nothing():
    sealed = seal(TEXT)
    assert sealed != TEXT
    assert seal_state(sealed) is SealState.INTACT
    assert seal(sealed) == sealed


@pytest.mark.parametrize(("old", "new"), [("a = 1", "a = 2"), ("remark", "word"), ("1;\n", "1;\n\n")])
def test_every_edit_is_noticed(old, new):
    assert seal_state(seal(TEXT).replace(old, new)) is SealState.BROKEN


def test_line_endings_of_another_system_are_no_edit():
    assert seal_state(seal(TEXT).replace("\n", "\r\n")) is SealState.INTACT


def test_a_hash_further_below_is_no_seal():
    text = f"int a;\n\n\n\n\n/* {UNSEALED} */\n"
    assert seal(text) == text
    assert seal_state(text) is SealState.NONE


def test_an_edited_file_is_left_alone(tmp_path):
    file = tmp_path / "tests.c"
    write_file(file, TEXT)
    write_file(file, TEXT.replace("1", "2"))  # as it was written: it may be replaced
    file.write_text(file.read_text().replace("2", "3"))
    edited = file.read_text()
    with pytest.raises(UsageError, match=r"tests\.c was edited since Tightrope wrote it: it is left alone"):
        write_file(file, TEXT)
    assert file.read_text() == edited


def test_a_file_whose_hash_was_removed_counts_as_edited(tmp_path):
    file = tmp_path / "tests.c"
    file.write_text(f"/* {MARKER}: tests. */\n")
    check_file(file)
    with pytest.raises(UsageError, match="was edited"):
        check_file(file, has_seal=True)
