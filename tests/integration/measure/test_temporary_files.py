"""Tests that need temporary files, as those of Check do: there is a folder for them, although nothing else may be written."""

from __future__ import annotations

import tightrope

UNIT = "int grade(int points) { if (points > 50) return 1; return 0; }\n"
TESTS = """\
#include <stdio.h>
#include <stdlib.h>
#include "grade.c"
static void test_with_a_file(void)
{
    char name[4096];
    FILE *file;
    snprintf(name, sizeof name, "%s/note", getenv("TEMP"));
    file = fopen(name, "w");
    if (file != NULL)
        grade(70);
    if (fopen("here", "w") != NULL)
        grade(3);
}
int main(void) { test_with_a_file(); return 0; }
"""


def test_there_is_a_folder_for_temporary_files_and_no_other(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "grade.c").write_text(UNIT)
    (tmp_path / "tests.c").write_text(TESTS)
    (unit,) = tightrope.measure("grade.c", suite="tests.c", criterion="branch").units
    assert [each.text for each in unit.objectives if each.verdict == "covered"] == ["points > 50 is true"]
    assert not (tmp_path / "here").exists()
