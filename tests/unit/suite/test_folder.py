"""Test files are built in a temporary folder but find what they would find where they are written."""

from __future__ import annotations

from pathlib import Path

from tightrope.suite.folder import anchor_includes


def test_own_includes_start_at_the_folder(tmp_path: Path) -> None:
    (tmp_path / "unit.c").write_text("")
    text = '#define main x\n#include "../unit.c"\n#include <stdio.h>\n#include "absent.h"\nputs("#include \\"../unit.c\\"");\n'
    found = anchor_includes(text, tmp_path / "tests")  # a folder that is not there yet
    assert f'#include "{tmp_path / "unit.c"}"\n' in found
    assert '#include <stdio.h>\n#include "absent.h"\nputs("#include \\"../unit.c\\"");\n' in found


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    """Includes of the unit itself start where the unit seems to be."""
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "real.c").write_text("")
    (tmp_path / "unit.c").symlink_to(tmp_path / "there" / "real.c")
    assert anchor_includes('#include "unit.c"', tmp_path) == f'#include "{tmp_path / "unit.c"}"'
