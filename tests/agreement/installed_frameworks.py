"""Test frameworks of this machine. Unity is not in Debian: TIGHTROPE_UNITY names the folder of unity.c."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

REPOSITORY = Path(__file__).parent.parent.parent
PACKAGES = {"cmocka": "cmocka", "cmocka-wrap": "cmocka", "check": "check", "gtest": "gtest_main"}


def unity_folder() -> Path | None:
    named = os.environ.get("TIGHTROPE_UNITY")
    places = [Path(named)] if named else [REPOSITORY.parent / "shared/third-party/unity"]
    return next((each for each in places if (each / "unity.c").is_file()), None)


def why_missing(name: str) -> str:
    """Why suites of this format cannot be built here; '' if they can."""
    if name == "unity":
        return "" if unity_folder() else "there is no unity.c: TIGHTROPE_UNITY can name its folder"
    if name not in PACKAGES:
        return ""
    words = ["pkg-config", "--exists", PACKAGES[name]]
    found = shutil.which("pkg-config") and subprocess.run(words, check=False).returncode == 0
    return "" if found else f"pkg-config does not find {PACKAGES[name]}: its suites are not built"
