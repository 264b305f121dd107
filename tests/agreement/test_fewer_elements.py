"""Callers that pass fewer elements than were tried, judged by plain builds: the elements end where a page begins that nobody
may read. If one version returns and the other crashes, what comes later is impacted: a test of the one does not cover it
in the other.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tightrope.commands.diff.impact.find_impact import find_impact
from tightrope.options.options import Options
from tightrope.source.toolchain import find_compiler
from tightrope.units.choose_inputs import look_at_other_version
from tightrope.units.prepare import prepare_file, prepare_unit

CALL = """
#include <string.h>
#include <sys/mman.h>
int main(void)
{
    char *page = mmap(0, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0);
    mprotect(page + 4096, 4096, PROT_NONE);
    memset(page, 1, 4096);
    f((void *)(page + 4096 - SIZE), 9);
    return 0;
}
"""
REST = "if (b > 3) return r; return 0; }"
RECORD = "struct s { int x, y; }; int f(struct s *a, int b) { "
TAIL = "struct s { int n, m; int d[]; }; int f(struct s *a, int b) { "
CASES = {  # old, new, the bytes of the object, which of them crash
    "one more element": ("int f(int *a, int b) { int r = a[0]; ", "int f(int *a, int b) { int r = a[0] + a[3]; ", 4, (0, 1)),
    "one less": ("int f(int *a, int b) { int r = a[0] + a[1]; ", "int f(int *a, int b) { int r = a[0]; ", 4, (1, 0)),
    "an earlier one": ("int f(int *a, int b) { int r = a[3]; ", "int f(int *a, int b) { int r = a[3] + a[2]; ", 16, (0, 0)),
    "characters": ("int f(char *a, int b) { int r = a[0]; ", "int f(char *a, int b) { int r = a[0] + a[2]; ", 1, (0, 1)),
    "in a callee": (
        "int g(int *a) { return a[3]; } int f(int *a, int b) { int r = a[0]; ",
        "int g(int *a) { return a[3]; } int f(int *a, int b) { int r = a[0] + g(a); ", 4, (0, 1),
    ),
    "behind a branch": (
        "int f(int *a, int b) { int r = a[0]; if (r == 5) r += a[1]; ",
        "int f(int *a, int b) { int r = a[0]; if (r != 5) r += a[1]; ", 4, (0, 1),
    ),
    "another member": (f"{RECORD}int r = a->x; ", f"{RECORD}int r = a->x + a->y; ", 8, (0, 0)),
    "a member of a further element": (f"{RECORD}int r = a[0].x; ", f"{RECORD}int r = a[0].x + a[1].x; ", 8, (0, 1)),
    "another member of it": (f"{RECORD}int r = a[1].x; ", f"{RECORD}int r = a[1].x + a[1].y; ", 16, (0, 0)),
    "at the end of a record": (f"{TAIL}int r = a->n + a->d[0]; ", f"{TAIL}int r = a->n + a->d[0] + a->d[3]; ", 12, (0, 1)),
    "in that record itself": (f"{TAIL}int r = a->n + a->d[0]; ", f"{TAIL}int r = a->n + a->d[0] + a->m; ", 12, (0, 0)),
    "a declared length": ("int f(int a[4], int b) { int r = a[0]; ", "int f(int a[4], int b) { int r = a[0] + a[3]; ", 4, (0, 1)),
}  # fmt: skip


def crashes(folder: Path, text: str, size: int) -> int:
    source, program = folder / "main.c", folder / "main"
    source.write_text(text + CALL.replace("SIZE", str(size)))
    words = (sys.executable, "-m", "ziglang", "cc", "-O0", "-w", "-fno-sanitize=undefined", source, "-o", program)
    subprocess.run(words, check=True)
    return int(subprocess.run([program]).returncode != 0)


@pytest.mark.parametrize("name", CASES)
def test_what_follows_a_crash_in_one_version_is_impacted(name: str, tmp_path: Path) -> None:
    *heads, size, expected = CASES[name]
    options = Options((), criteria=("branch",))
    folders = [tmp_path / version for version in ("old", "new")]
    for folder, head in zip(folders, heads, strict=True):
        folder.mkdir()
        (folder / "unit.c").write_text(head + REST)
    assert tuple(crashes(folder, (folder / "unit.c").read_text(), size) for folder in folders) == expected
    files = [prepare_file(find_compiler(), folder / "unit.c", options, lambda warning: None) for folder in folders]
    old, new = (
        prepare_unit(files[at], "f", options, look_at_other_version(files[1 - at], "f", options)) for at in (0, 1)
    )
    impacted = {each.text for each in new.objectives if each.id in find_impact(old, new, ()).new}
    assert ("b > 3 is true" in impacted) == (expected[0] != expected[1])
