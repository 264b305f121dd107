"""Stubs, from the command to the C that is written."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tightrope import cli

UNIT = """\
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define log_message(...) (log_message)(__FILE__, __VA_ARGS__)

struct reading { const int value; struct reading *next; };
enum mode { OFF, ON };

extern int sensor(int channel, const char *name);
extern struct reading measure(struct reading *last);
extern const struct reading *history(void);
extern enum mode mode(void);
extern void (log_message)(const char *file, const char *format, ...);
extern double calibrate(double);
extern void fatal(const char *) __attribute__((noreturn));
extern void unused(void) __attribute__((noreturn));
extern int receive(void *buffer, unsigned size);
extern char *xstrdup(const char *text);
extern const int limit;
extern const char *const names[2];

struct operations { int (*open)(const char *name); void (*time)(long); };

int work(struct operations *with, int n)
{
    struct reading now = measure(NULL);
    const struct reading *then = history();
    unsigned char frame[4];
    char *copy = malloc(4), *name = xstrdup("abc"), *other = strdup("x");
    if (!copy || !other || !with || !with->open || !with->time)
        return -1;
    log_message("%d", n);
    if (mode() == ON && calibrate(0.5) > 1.0 && then && then->value == now.value)
        return 1;
    with->time((long)time(NULL));
    if (with->open("a") == 3 && receive(frame, 4) == 4 && frame[3] == 7)
        return 2;
    if (rand() % 7 == limit && names[0] && names[0][0] == 'n')
        return 3;
    if (sensor(n, name) < 0)
        fatal("sensor");
    if (n == 1000)
        unused();
    free(copy);
    free(other);
    return 0;
}

int helper(int n) { return n; }
int calls_helper(int n) { if (helper(n) > 3) return 1; return 0; }
int calls_no_one(int n) { if (n > 3) return 1; return 0; }
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "unit.c").write_text(UNIT)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def generate(*words: str) -> dict[str, Any]:
    assert cli.main(["generate", "-c", "branch", "-o", "tests", "--json", "report.json", "--quiet", *words]) == 0
    (unit,) = json.loads(Path("report.json").read_text())["units"]
    return dict(unit)


@pytest.mark.parametrize("optimisation", ["-O0", "-O2"])
def test_tests_with_stubs_compile_without_warnings_and_pass(folder: Path, optimisation: str) -> None:
    unit = generate("unit.c:work", "--stub-writes", "receive:1=4", "--max-runs", "300")
    assert unit["confirmation"]["same"] == len(unit["tests"])
    build = [
        "gcc",
        "-std=c11",
        "-Wall",
        "-Wextra",
        "-pedantic",
        optimisation,
        "-o",
        "program",
        "tests/test_unit_work.c",
    ]
    try:
        built = subprocess.run(build, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        pytest.skip("needs gcc")
    assert (built.returncode, built.stderr) == (0, "")
    shown = subprocess.run([folder / "program"], capture_output=True, text=True, check=False)
    assert shown.returncode == 0, shown.stdout


def test_everything_that_depends_on_stubs_is_covered(folder: Path) -> None:
    unit = generate("unit.c:work", "--stub-writes", "receive:1=4", "--max-runs", "3000")
    missed = [each["text"] for each in unit["objectives"] if each["verdict"] != "covered"]
    assert missed == []


PROGRAMS = Path(__file__).parent.parent / "programs"


@pytest.mark.parametrize(
    "name", ["stub_outputs", "stub_outputs_shared", "stub_outputs_room", "callback_outputs", "cast_down", "void_types"]
)
def test_written_tests_stay_inside_their_objects(folder: Path, name: str) -> None:
    generate(str(PROGRAMS / f"{name}.c"), "--max-runs", "200", "--no-confirm")
    (test,) = (folder / "tests").glob("test_*.c")
    words = ["gcc", "-w", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-o", "program", str(test)]
    try:
        built = subprocess.run(words, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        pytest.skip("needs gcc")
    if built.returncode:
        pytest.skip("needs gcc with its sanitizers")
    shown = subprocess.run([folder / "program"], capture_output=True, text=True, check=False)
    assert (shown.returncode, shown.stderr) == (0, "")


def test_a_test_gives_the_answers_that_the_run_asked_for(folder: Path) -> None:
    (folder / "small.c").write_text(
        "extern int sensor(int n); int f(int n) { if (sensor(n) == 77 && sensor(n + 1) == 78) return 1; return 0; }"
    )
    generate("small.c")
    text = (folder / "tests" / "test_small_f.c").read_text()
    bodies = [each for each in re.split(r"^static void ", text, flags=re.MULTILINE) if "= 78;" in each]
    assert bodies
    assert "tightrope_answers_sensor[0] = 77;" in bodies[0]
    assert re.search(r'EXPECT_CALLS\(\s*"sensor\(-?\d+\)",\s*"sensor\(-?\d+\)"\);', bodies[0])
    assert "tightrope_answers_sensor[2]" not in bodies[0].partition("{")[2]


def test_a_pointer_past_an_object_is_not_named(folder: Path) -> None:
    """Another object of the test begins there in a build without probes, and the test expected none."""
    (folder / "ends.c").write_text(PAST_OBJECTS)
    generate("ends.c:send_rest")
    text = (folder / "tests" / "test_ends_send_rest.c").read_text()
    tests = re.findall(r"^static void test_\w+\(void\)$", text, re.MULTILINE)
    assert len(re.findall(r"^    EXPECT_(?:NO_)?CALLS\(", text, re.MULTILINE)) == len(tests) > 3
    assert '"put({}, 0)"' in text
    assert '"put(first + ' in text and '"done(a pointer, a pointer)"' in text
    assert "place(cursor {.at = _, .left = " in text and "place(cursor {.at = first" not in text


PAST_OBJECTS = """\
struct frame { unsigned char data[16]; };
struct cursor { const unsigned char *at; unsigned left; };
int put(const unsigned char *data, unsigned long size);
void done(const unsigned char *first_end, const unsigned char *second_end);
void place(const struct cursor *cursor);

int send_rest(const struct frame *first, const struct frame *second, struct cursor *cursor, unsigned sent)
{
    if (sent > 16 || first->data[0] == 0 || second->data[0] == 0)
        return -1;
    if (!put(first->data + sent, 16 - sent))
        return -2;
    if (!put(second->data + sent, 16 - sent))
        return -3;
    done(first->data + 16, second->data + 16);
    cursor->at = first->data + sent;
    place(cursor);
    if (sent == 16)
        return 1;
    return 0;
}
"""


@pytest.mark.parametrize(
    ("words", "slug"),
    [
        (["unit.c:calls_helper", "--stub", "helper"], "stub-defined"),
        (["unit.c:calls_no_one", "--stub", "sensor"], "stub-name"),
        (["unit.c:work", "--stub-writes", "sensor:2"], "stub-writes"),
        (["unit.c:work", "--stub", "printf"], "stub-needed"),
        (["unit.c:work", "--stub-writes", "sensor"], "bad-value"),
        (["unit.c:work", "--stub", "a b"], "bad-value"),
    ],
)
def test_wishes_that_come_to_nothing_are_refused(folder: Path, capsys, words: list[str], slug: str) -> None:
    assert cli.main(["generate", *words, "--quiet"]) == 2
    said = capsys.readouterr().err
    assert f"[{slug}]" in said or slug == "bad-value", said


def test_of_many_functions_one_that_calls_it_is_enough(folder: Path) -> None:
    words = ["unit.c:calls_no_one", "unit.c:calls_helper", "--no-stub", "sensor"]
    assert cli.main(["generate", *words, "-o", "tests", "--quiet"]) == 0


def test_a_function_of_a_linked_file_can_be_a_stub(folder: Path) -> None:
    (folder / "top.c").write_text(
        "extern int helper(int n); extern int other(int n);\n"
        "int top(int n) { if (helper(n) == 99) return 1; if (other(n) == 5) return 2; return 0; }\n"
    )
    (folder / "rest.c").write_text("int helper(int n) { return n & 1; }\nint other(int n) { return n / 2; }\n")
    verdicts = [each["verdict"] for each in generate("top.c", "--link", "rest.c")["objectives"]]
    assert sorted(verdicts) == ["covered", "covered", "covered", "infeasible"]
    unit = generate("top.c", "--link", "rest.c", "--stub", "helper")
    assert {each["verdict"] for each in unit["objectives"]} == {"covered"}
    assert unit["confirmation"]["same"] == len(unit["tests"])


def test_a_model_of_your_own_is_a_file_to_link(folder: Path) -> None:
    (folder / "late.c").write_text("#include <time.h>\nint late(void) { if (time(NULL) > 1000) return 1; return 0; }\n")
    (folder / "model.c").write_text("#include <time.h>\ntime_t time(time_t *at) { (void)at; return 10; }\n")
    unit = generate("late.c", "--link", "model.c")
    assert not any("time()" in text for text in unit["assumptions"])
    assert sorted(each["verdict"] for each in unit["objectives"]) == ["covered", "infeasible"]


WEAK = """
__attribute__((weak)) int board_hook(void) { return 0; }
__attribute__((weak)) const int limit = 5;
int poll(void) { if (board_hook()) return 1; if (limit > 6) return 2; return 0; }
"""


def test_a_weak_definition_is_an_assumption_until_the_real_one_is_linked(folder: Path, capsys) -> None:
    (folder / "weak.c").write_text(WEAK)
    (folder / "board.c").write_text("int board_hook(void) { return 7; }\nconst int limit = 9;\n")
    unit = generate("weak.c:poll", "-c", "branch")
    about = [text.split(":")[0] for text in unit["assumptions"] if "another file may replace it" in text]
    assert about == ["board_hook()", "limit"]
    assert sorted(each["verdict"] for each in unit["objectives"]) == ["covered", "covered", "unknown", "unknown"]
    unit = generate("weak.c:poll", "-c", "branch", "--link", "board.c")
    assert not unit["assumptions"]
    assert sorted(each["verdict"] for each in unit["objectives"]) == ["covered", *["infeasible"] * 3]
    assert cli.main(["generate", "weak.c:poll", "--stub", "board_hook"]) == 2
    assert "it is weak: --link the file" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("body", "assumption"),
    [
        ('if (printf("%d", n) < 0) return 1;', "printf(): does not fail"),
        ('printf("%d", n);', ""),
        ('if (strcoll("a", n ? "b" : "c")) return 1;', "strcoll(): as in the C locale"),
        ("if (rint(n / 2.0) > 3) return 1;", "rint(): rounds to the nearest number"),
        ("if (pthread_mutex_trylock(&lock)) return 1;", "pthread_mutex_trylock(): no other thread interferes"),
        ("if (ferror(stdin)) return 1;", "ferror(): no error of input or output occurs"),
    ],
)
def test_what_the_library_takes_for_granted_is_listed(folder: Path, body: str, assumption: str) -> None:
    headers = "".join(f"#include <{name}.h>\n" for name in ("math", "pthread", "stdio", "string"))
    text = f"{headers}static pthread_mutex_t lock;\nint f(int n) {{ (void)&lock; {body} return n > 3; }}\n"
    (folder / "granted.c").write_text(text)
    unit = generate("granted.c:f", "-c", "branch", "--max-runs", "5")
    granted = ("does not fail", "locale", "nearest number", "interferes", "occurs")
    assert [text for text in unit["assumptions"] if text.endswith(granted)] == [assumption] * bool(assumption)


def test_what_our_own_stubs_call_is_no_assumption(folder: Path) -> None:
    (folder / "own.c").write_text("void *xmalloc(unsigned long n); int f(int n) { return *(int *)xmalloc(4) > n; }\n")
    assert not any("does not fail" in text for text in generate("own.c:f", "-c", "branch")["assumptions"])


def test_a_function_that_is_declared_otherwise_than_in_its_header_gets_no_stub(folder: Path) -> None:
    (folder / "old.c").write_text(
        "extern char *malloc();\nint f(int n) { char *p = malloc(4); p[0] = n; if (p[0] > 3) return 1; return 0; }\n"
    )
    unit = generate("old.c", "--", "-std=gnu89", "-w")
    assert "malloc(): does not fail" in unit["assumptions"]


def test_a_function_that_is_declared_in_a_block_returns_zero(folder: Path) -> None:
    (folder / "block.c").write_text(
        "int f(int n) { extern int hidden(int); if (hidden(n) > 3) return 1; if (n > 5) return 2; return 0; }\n"
    )
    unit = generate("block.c")
    assert unit["confirmation"]["same"] == len(unit["tests"]) == 2


def test_no_input_of_a_test_comp_program_is_an_answer(folder: Path) -> None:
    (folder / "whole.c").write_text(
        "#include <stdlib.h>\nextern int __VERIFIER_nondet_int(void);\n"
        "int main(void) { char *p = malloc(3); if (!p) return 1; return __VERIFIER_nondet_int() > 3 ? 2 : rand() > 4; }\n"
    )
    assert (
        cli.main(["generate", "whole.c:main", "--format", "testcomp", "-o", "tests", "--quiet", "--json", "r.json"])
        == 0
    )
    (unit,) = json.loads(Path("r.json").read_text())["units"]
    paths = {path for test in unit["tests"] for path in test["inputs"]}
    assert paths and all(path.startswith("__VERIFIER_nondet_int") for path in paths)


def test_a_test_that_does_not_check_calls_does_not_read_what_they_get(folder: Path) -> None:
    """A run that exits leaves no notes. The stub shows sixteen bytes in the other test, and must not look for them here."""
    (folder / "leave.c").write_text(LEAVING)
    generate("leave.c:leave", "-c", "branch")
    (test,) = (folder / "tests").glob("test_*.c")
    text = test.read_text()
    assert text.count("    EXPECT_CALLS(") == 1 and text.count("tightrope_hides_calls = 1;") == 1
    words = ["gcc", "-w", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-o", "program", str(test)]
    try:
        built = subprocess.run(words, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        pytest.skip("needs gcc")
    if built.returncode:
        pytest.skip("needs gcc with its sanitizers")
    shown = subprocess.run([folder / "program"], capture_output=True, text=True, check=False)
    assert (shown.returncode, shown.stderr) == (0, "")


LEAVING = """\
#include <stdlib.h>
int put(const unsigned char *bytes);
static unsigned char long_one[16] = {1, 2, 3}, short_one[3] = {1, 2, 3};

int leave(int n)
{
    if (n > 5) {
        put(short_one);
        exit(1);
    }
    return put(long_one);
}
"""


def test_only_what_was_asked_for_is_called_so(folder: Path) -> None:
    """One of the objects that a `void *` may lead to is not NULL, of course."""
    program = str(PROGRAMS / "void_types.c")
    said = generate(program, "--no-confirm", "--max-runs", "20")["assumptions"]
    assert any("::" in each for each in said) and not [each for each in said if "as asked" in each]
