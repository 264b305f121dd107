"""C that was written for other compilers and processors."""

from __future__ import annotations

import json
import shutil
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from tightrope import cli
from tightrope.source.dialects import find_definitions
from tightrope.source.inline_functions import names_of_inline_functions
from tightrope.source.toolchain import find_compiler

ASSEMBLY = """\
#include <stdint.h>
static uint32_t level(void) { uint32_t r; __asm volatile("mrs %0, basepri" : "=r"(r)); return r; }
static void set_level(uint32_t to) { __asm volatile("msr basepri, %0" :: "r"(to) : "memory"); }
int guarded(int a)
{
    uint32_t before = level();
    set_level(80);
    __asm volatile("dsb 0xF" ::: "memory");
    int result = a > 5 && before == 16;
    set_level(before);
    return result;
}
"""


def generated(folder: Path, text: str, *options: str) -> dict[str, Any]:
    file, report = folder / "unit.c", folder / "report.json"
    file.write_text(text)
    words = [str(file), "-o", str(folder / "out"), "--json", str(report), "--max-runs", "200", *options]
    assert cli.main(["generate", "--quiet", *words]) == 0
    (unit,) = json.loads(report.read_text())["units"]
    return dict(unit)


def failures(folder: Path, test: str, *flags: str) -> list[str]:
    """What fails in the suite, built with the usual compiler of the machine."""
    command = ["gcc"] if shutil.which("gcc") else [*find_compiler().command, "-fno-sanitize=undefined"]
    words = [*flags, "-fwrapv", "-w", "-o", str(folder / "program"), str(folder / "out" / test), "-lm"]
    subprocess.run([*command, *words], check=True)
    done = subprocess.run([str(folder / "program")], capture_output=True, text=True, check=False)
    assert done.stdout.count("\nok ") > 0
    return [line for line in done.stdout.splitlines() if line.startswith("not ok")]


def verdicts(unit: dict[str, Any], criterion: str) -> set[str]:
    return {each["verdict"] for each in unit["objectives"] if each["criterion"] == criterion}


def test_foreign_assembly_calls_stubs_in_written_tests(tmp_path: Path):
    unit = generated(tmp_path, ASSEMBLY, "-f", "guarded", "-c", "mcdc")
    assert verdicts(unit, "mcdc") == {"covered"}
    assert "assembly__msr_basepri(80)" in (tmp_path / "out" / "test_unit_guarded.c").read_text()
    assert failures(tmp_path, "test_unit_guarded.c") == []
    assert failures(tmp_path, "test_unit_guarded.c", "-O2") == []
    assert any("assembly of another processor" in note for note in unit["notes"])


def test_a_function_without_assembly_is_not_told_about_that_of_others(tmp_path: Path):
    unit = generated(tmp_path, ASSEMBLY + "int plain(int a) { return a > 3; }\n", "-f", "plain", "-c", "mcdc")
    assert verdicts(unit, "mcdc") == {"covered"}
    assert not [note for note in unit["notes"] if "assembly" in note]


HEADER = """\
static inline int clamped(int v, int low, int high)
{
    if (v < low)
        return low;
    if (v > high && high > low)
        return high;
    return v;
}
inline int is_large(int x) { if (x > 1000) return 7; return 0; }
"""


@pytest.mark.parametrize(("function", "place"), [("clamped", "part.h"), ("is_large", "part.h"), ("use", "")])
def test_functions_of_an_included_file_are_found_by_name(tmp_path: Path, function: str, place: str):
    (tmp_path / "part.h").write_text(HEADER)
    text = '#include "part.h"\nint use(int x) { return clamped(x, 1, 5000) == 5000 && is_large(x); }\n'
    unit = generated(tmp_path, text, "-f", function, "-c", "branch")
    assert "covered" in verdicts(unit, "branch")
    assert Path(unit["defined_in"]).name == place
    assert {Path(each["file"]).name for each in unit["objectives"]} == {place or "unit.c"}
    assert failures(tmp_path, f"test_unit_{function}.c") == []


def test_a_file_that_only_includes_others_stands_for_their_functions(tmp_path: Path):
    (tmp_path / "part.c").write_text("#include <stdlib.h>\nint twice(int x) { return x > 5 ? 2 * x : abs(x); }\n")
    assert generated(tmp_path, '#include "part.c"\n', "-c", "branch")["function"] == "twice"


def test_a_function_is_only_inline_without_static_and_extern():
    text = "static inline int a(int x);\nextern inline int b(void) { }\ninline int d(int x) {"
    assert names_of_inline_functions(text) == ["d"]


def test_the_last_inline_before_a_name_counts():
    text = "/* inline is a word */ static inline int a(void); int b(void)\n  inline int c(inline"
    assert names_of_inline_functions(text) == ["c"]


def test_a_header_that_begins_with_a_book_is_read_in_no_time():
    book = "/* " + "words about what follows, and no semicolon\n" * 10_000 + "*/ inline int f(void) {"
    begin = time.process_time()
    assert names_of_inline_functions(book) == ["f"]
    assert time.process_time() - begin < 2.0  # sqlite3.h took a minute


DIALECT = """\
#include <stdint.h>
__no_init volatile uint32_t boots;
static const __flash uint8_t table[4] = {1, 2, 3, 4};
__packed struct frame { uint8_t id; uint32_t value; };
__weak int hook(int x) { return x; }
void __irq tick(void) { boots++; }
__attribute__((interrupt("IRQ"))) void other(void) { boots = 1; }
_Pragma("location=0x20") int vendor;
static my_keyword int shift = 3;
int f(struct frame far *p, int n)
{
    if (p->value > 100 && n == table[p->id & 3])
        return hook(n);
    return n >> shift;
}
"""


def test_words_of_other_compilers_are_defined_away_here_and_in_tests(tmp_path: Path):
    unit = generated(tmp_path, DIALECT, "-f", "f", "-c", "branch", "--define-away", "my_keyword")
    assert verdicts(unit, "branch") == {"covered"}
    (remark,) = [each for each in unit["notes"] if "other compilers" in each]
    assert all(word in remark for word in ("__irq", "__flash", "far", "interrupt"))
    assert "my_keyword" not in remark
    text = (tmp_path / "out" / "test_unit_f.c").read_text()
    assert "#define my_keyword\n" in text
    assert "-D" not in text.split("*/")[0].replace("-DTIGHTROPE_NO_MAIN", "")
    assert failures(tmp_path, "test_unit_f.c", "-std=c11") == []


PORT = """\
#include <stdint.h>
void pend(void) { __asm volatile("push {r4-r11, lr}\\n\\tmov r0, sp\\n\\tbl next" ::: "memory"); }
CLOBBER
int pick(int a, int b) { if (a > 3 && b < 2) return 1; asm("dsb"); return 0; }
"""
CLOBBERS = 'void svc(void) { register int r0 __asm("r0") = 1; __asm volatile("svc 0" :: "r"(r0) : "r1", "lr"); }'


@pytest.mark.parametrize("further", ["", CLOBBERS], ids=["names of ours", "registers of theirs"])
def test_assembly_that_no_macro_can_stand_for_is_ignored(tmp_path: Path, further: str):
    unit = generated(tmp_path, PORT.replace("CLOBBER", further), "-f", "pick", "-c", "branch")
    assert verdicts(unit, "branch") == {"covered"}
    assert any("assembly is ignored" in each for each in unit["notes"])
    assert failures(tmp_path, "test_unit_pick.c") == []


def test_a_word_that_the_program_defines_itself_stays():
    texts = ["#define __irq\nvoid __irq f(void);\nint __weak g; int far;"]
    assert list(find_definitions(texts, "x.c:3:1: error: no\n    3 | int a;")) == ["__weak=__attribute__((weak))"]
    assert "far=" in find_definitions(texts, "x.c:3:1: error: no\n    3 | int far;")


def test_what_is_no_word_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    (tmp_path / "unit.c").write_text("int f(void) { return 1; }")
    assert cli.main(["generate", str(tmp_path / "unit.c"), "--define-away", "a b"]) == 2
    assert "neither a word of C" in capsys.readouterr().err


def test_an_address_behind_a_variable_can_be_defined_away_as_a_macro(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    (tmp_path / "unit.c").write_text("volatile unsigned char PORT @ 0x25;\nint f(int x) { return x > PORT; }")
    assert cli.main(["generate", str(tmp_path / "unit.c"), "-o", str(tmp_path / "out")]) == 4
    assert "--define-away 'AT(...)'" in capsys.readouterr().err
    text = (
        "#ifndef AT\n#define AT(place) @ place\n#endif\nunsigned char PORT AT(0x25);\nint f(int x) { return x > PORT; }"
    )
    unit = generated(tmp_path, text, "-c", "mcdc", "--define-away", "AT(...)")
    assert verdicts(unit, "mcdc") == {"covered"}
    assert failures(tmp_path, "test_unit_f.c") == []


CLASHES = """\
#define count 5
#define text nothing
static int getline(char *s, int size) { int i = 0; while (i < size && s[i] != 10) i++; return i == 3 ? count : i; }
int remove(int result, int number) { if (result == number) return 1; return 0; }
"""


@pytest.mark.parametrize("function", ["getline", "remove"])
def test_names_of_the_unit_that_tests_use_for_something_else(tmp_path: Path, function: str):
    unit = generated(tmp_path, CLASHES, "-f", function, "-c", "branch")
    assert verdicts(unit, "branch") == {"covered"}
    assert failures(tmp_path, f"test_unit_{function}.c") == []


@pytest.mark.parametrize(
    ("text", "flags", "words"),
    [
        ("#include <math.h>\ndouble f(double x) { return floor(x) > 2 ? sin(x) : 0; }", (), ("-std=gnu11", " -lm &&")),
        ("int f(int x) { return x > 2; }", ("--", "-std=gnu99"), ("cc -fwrapv -std=gnu99", "test_unit_f.c &&")),
    ],
)
def test_the_command_that_builds_the_tests_does_so(tmp_path: Path, text: str, flags: tuple[str, ...], words: list[str]):
    generated(tmp_path, text, "-c", "mcdc", *flags)
    (command,) = [line for line in (tmp_path / "out" / "test_unit_f.c").read_text().splitlines() if " cc " in line]
    assert all(word in command for word in words)
    if shutil.which("cc"):
        subprocess.run(command, shell=True, check=True, cwd=tmp_path / "out", capture_output=True)


def test_a_linked_file_may_contain_foreign_assembly(tmp_path: Path):
    other = tmp_path / "other.c"
    other.write_text('int twice(int x) { __asm volatile("cpsid i" ::: "memory"); return 2 * x; }\n')
    text = "int twice(int); int f(int x) { if (twice(x) == 14) return 1; return 0; }\n"
    unit = generated(tmp_path, text, "-c", "branch", "--link", str(other))
    assert verdicts(unit, "branch") == {"covered"}
    assert unit["confirmation"]["different"] == []
