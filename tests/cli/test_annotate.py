"""`tightrope annotate`: labelled C that any compiler takes, that means the same, and that reads back in."""

import json
import re
import shutil
import subprocess
from collections import Counter
from pathlib import Path

import pytest

import tightrope
from tightrope.cli import main

HEADER = Path(tightrope.__file__).parent / "include"

UNIT = """\
#include <stddef.h>
#define LARGER(a, b) ((a) > (b) ? (a) : (b))
#define NEAR(p) ((p)->x < 3)
struct s { int x; };
int ready(int);
int pick(int a, int b, struct s *p)
{
    int r = 0, s = a + 1;
    if (p != NULL && NEAR(p)) r = 2; else if (a < b) return -a;
    for (int i = 0; i < 3 && a > i; i++) r += i / 2;
    while (a > 5 || (b & 1)) { a = 0; b -= b; if (a < 2) break; }
    switch (b) { case 1: r = LARGER(a, b); break; default: break; }
    return r + (ready(a) && b > s);
}
"""


@pytest.fixture
def unit(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "unit.c").write_text(UNIT)
    return tmp_path


def annotate(capfd, *words: str) -> str:
    assert main(["annotate", *words]) == 0
    return capfd.readouterr().out


def labels_of(text: str) -> list[str]:
    return re.findall(r'pc_label\(.*?, \d+, "(.*?)"\)', text)


@pytest.mark.parametrize("criterion", ["wm", "limit", "rte", "statement", "decision", "condition", "mcdc", "mcc"])
@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_any_compiler_takes_it_without_a_word(unit, capfd, criterion, compiler):
    if not shutil.which(compiler):
        pytest.skip(f"there is no {compiler} here")
    text = annotate(capfd, "unit.c", "-c", criterion)
    assert labels_of(text)
    (unit / "labelled.c").write_text(text)
    words = [compiler, "-std=c99", "-Wall", "-Wextra", "-pedantic", f"-I{HEADER}", "-c", "labelled.c"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_it_compiles_to_the_same_code(unit, capfd):
    if not shutil.which("gcc"):
        pytest.skip("there is no gcc here")
    (unit / "labelled.c").write_text(annotate(capfd, "unit.c", "-c", "wm,limit,rte,mcc"))
    codes = []
    for name in ("unit.c", "labelled.c"):
        words = ["gcc", "-O1", f"-I{HEADER}", "-S", "-o", "-", name]
        done = subprocess.run(words, capture_output=True, text=True, check=True)
        codes.append(re.sub(r"\.file.*|\.ident.*", "", done.stdout))
    assert codes[0] == codes[1]


@pytest.mark.parametrize("criterion", ["wm", "limit", "condition"])
def test_generating_for_its_labels_gives_the_same_verdicts(unit, capfd, criterion):
    (unit / "labelled.c").write_text(annotate(capfd, "unit.c", "-c", criterion))
    verdicts = []
    for file, name in (("unit.c", criterion), ("labelled.c", "label")):
        words = ["generate", f"{file}:pick", "-c", name, "--json", "report.json", "--no-confirm", "-q"]
        words += ["--instrumentation", "direct"] if criterion == "condition" else []
        assert main(words) == 0
        objectives = json.loads((unit / "report.json").read_text())["units"][0]["objectives"]
        verdicts.append(sorted(each["verdict"] for each in objectives if each.get("reason") != "not_followed"))
    extra = Counter(verdicts[0]) - Counter(verdicts[1])  # labels behind a value are not written
    assert not Counter(verdicts[1]) - Counter(verdicts[0])
    assert bool(extra) == (criterion == "wm")
    assert "covered" in verdicts[0]


def test_what_cannot_be_written_is_listed_at_the_end(unit, capfd):
    text = annotate(capfd, "unit.c:pick", "-c", "condition")
    _, _, listed = text.partition("Labels that could not be inserted")
    assert "13:17 condition true: `ready(a)` is true" in listed
    assert "side effects" in listed


def test_the_original_is_in_it_line_by_line(unit, capfd):
    """Where statements stand on lines of their own, labels do too."""
    (unit / "plain.c").write_text("int f(int a)\n{\n    if (a < 3)\n        return 1;\n    return a / 2;\n}\n")
    assert annotate(capfd, "plain.c", "-c", "limit") == (
        "/* plain.c with labels for limit, by tightrope annotate. Build with -I and the folder of tightrope.h:\n"
        " * a compiler ignores the labels. Cover them with: tightrope generate -c label THIS_FILE */\n"
        '#include "tightrope.h"\n'
        "int f(int a)\n{\n"
        '    pc_label(a == 3, 1, "limit:equal");\n    pc_label(a == 2, 2, "limit:below");\n'
        "    if (a < 3)\n        return 1;\n    return a / 2;\n}\n"
    )


def test_a_label_that_a_macro_would_change_is_left_out(unit, capfd):
    odd = "int f(int a) {\nint x = 3;\n#define x (x - 1)\nif (a < x) return 1;\nreturn 0; }\n"
    (unit / "odd.c").write_text(odd)
    text = annotate(capfd, "odd.c", "-c", "limit")
    assert "pc_label(" not in text.partition("Labels that could not be inserted")[0]
    assert "a macro redefines a name in it" in text


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("unit.c", "-c", "racc"), "racc cannot be written as labels: it compares two runs, and a label is about one"),
        (("unit.c", "-c", "branch"), "branch cannot be written as labels: labels cannot express it"),
        (("unit.c", "-c", "mcdc", "--mcdc-form", "unique-cause"), "mcdc cannot be written as labels"),
        (("unit.c", "other.c"), "2 files cannot be annotated at once"),
    ],
)
def test_what_is_asked_for_in_vain_is_said(unit, capfd, words, message):
    (unit / "other.c").write_text("int g;\n")
    assert main(["annotate", *words]) == 2
    assert message in capfd.readouterr().err
