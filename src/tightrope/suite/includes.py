"""A test file that can be built in another folder than the one it is written for."""

from __future__ import annotations

import os
import re
from pathlib import Path

_INCLUDE = re.compile(r'^#include "([^"]+)"', re.MULTILINE)


def anchor_includes(text: str, folder: Path) -> str:
    """The text with its `#include "..."` as they are found from `folder`.

    A compiler looks beside the file first and only then along -I: in a temporary folder, `../unit.c` might be anything.
    """

    def anchor(found: re.Match[str]) -> str:
        path = os.path.normpath(folder.resolve() / found[1])  # no link is followed: the unit's own includes start there
        return f'#include "{path}"' if os.path.isfile(path) else found[0]

    return _INCLUDE.sub(anchor, text)
