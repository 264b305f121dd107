"""Models that users write: a file given with --link stands for functions without a body and for the library's."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from tightrope import cli

UNIT = """
#include <stdlib.h>
unsigned checksum(const unsigned char *data, int count);
int accept(unsigned char a, unsigned char b)
{
    unsigned char data[2] = { a, b };
    if (checksum(data, 2) == 0x1234)
        return 1;
    if (atoi("12") + a == 1000 + 7)
        return 2;
    if (rand() > 5)
        return 3;
    return 0;
}
"""
MODEL = """
unsigned checksum(const unsigned char *data, int count)
{
    unsigned sum = 0;
    for (int i = 0; i < count; i++)
        sum = sum << 8 | data[i];
    return sum;
}
int atoi(const char *text) { return 1000 + (text[0] == '2'); }
int rand(void) { return 9; }
"""


@pytest.fixture
def unit(tmp_path: Path) -> dict[str, object]:
    (tmp_path / "unit.c").write_text(UNIT)
    (tmp_path / "model.c").write_text(MODEL)
    report = tmp_path / "report.json"
    words = [
        "generate",
        f"{tmp_path / 'unit.c'}:accept",
        "-c",
        "branch",
        "--link",
        str(tmp_path / "model.c"),
        "--quiet",
    ]
    assert cli.main([*words, "--json", str(report), "-o", str(tmp_path / "out"), "--", "-fno-builtin"]) == 0
    (found,) = json.loads(report.read_text())["units"]
    return dict(found)


def test_a_linked_file_stands_for_missing_and_for_library_functions(unit: dict[str, object]) -> None:
    verdicts = {(each["line"], each["kind"]): each["verdict"] for each in unit["objectives"]}  # type: ignore[attr-defined]
    assert verdicts == {
        **{(line, side): "covered" for line in (7, 9) for side in ("true", "false")},
        (11, "true"): "covered", (11, "false"): "infeasible",
    }  # fmt: skip
    confirmation = unit["confirmation"]
    assert not confirmation["different"] and not confirmation["problem"]  # type: ignore[index]


@pytest.mark.skipif(not shutil.which("gcc"), reason="needs gcc")
def test_the_written_tests_are_built_with_the_model(unit: dict[str, object], tmp_path: Path) -> None:
    (written,) = (tmp_path / "out").glob("*.c")
    assert "../model.c" in written.read_text()
    program = tmp_path / "tests"
    subprocess.run(["gcc", "-fno-builtin", "-o", program, written, tmp_path / "model.c"], check=True)
    assert "not ok" not in subprocess.run([program], check=True, capture_output=True, text=True).stdout
