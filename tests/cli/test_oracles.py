"""What written tests check: each wrong version of a small program must fail one of them, with a message that says what was
expected; and what C does not promise (unwritten bytes, padding, addresses, the folder of the source) is not checked."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tightrope import cli

PROGRAM = """\
#include <stdlib.h>
#include <string.h>
struct node { char tag; int value; struct node *next; };
struct setting { int level; const char *name; };
static const struct setting table[] = {{1, "low"}, {5, "high"}};
static int far[100];
static double ratio;
extern void motor(int direction, const struct node *why);
extern int transmit(int id, const unsigned char *data, unsigned count);
extern void report(const char *file, const char *text, float share);
extern void measure(int *into, struct node *spare);

const char *name_of(unsigned kind) { if (kind == 0) return "idle"; return kind == 1 ? "start" : "stop"; }

const struct setting *find(int level) { if (level < 3) return &table[0]; return &table[1]; }

struct node *push(struct node *head, int value)
{
    struct node *made = malloc(sizeof *made);
    if (made == NULL) return head;
    made->value = value + 1;
    made->next = head;
    return made;
}

struct node *copy(const struct node *from)
{
    struct node *made = malloc(sizeof *made);
    if (made) memcpy(made, from, sizeof *made);
    return made;
}

void set_far(int value) { if (value > 3) far[90] = value; else far[91] = 7; }

int send_all(unsigned char first, int count)
{
    unsigned char data[4];
    int answer = 0;
    struct node spare, why = {'w', 3, NULL};
    spare.value = 4;
    data[0] = first;
    data[1] = (unsigned char)(first + 1);
    measure(&answer, &spare);
    motor(1, &why);
    if (count > 0) transmit(17, data, 2);
    report(__FILE__, "sent", 0.25f);
    motor(0, NULL);
    return 0;
}

double divide(int a, int b) { if (b == 0) return -0.0; ratio = 1.0 / 3.0; return a == 5 ? ratio * 3.1 : ratio; }
"""

MOTOR_FIRST = "motor(1, &why);\n    if (count > 0) transmit(17, data, 2);"
MOTOR_LAST = "if (count > 0) transmit(17, data, 2);\n    motor(1, &why);"
WRONG = [
    ("name_of", '"idle"', '"idol"', '# result: expected "idle", got "idol"'),
    ("name_of", '? "start" :', "? NULL :", '# result: expected "start", got NULL'),
    ("find", "return &table[0];", "return &table[1];", "# result: expected &table[0], got another pointer"),
    ("find", '{5, "high"}', '{6, "high"}', "# result->level: expected 5, got 6"),
    ("find", '{5, "high"}', '{5, "hugh"}', '# result->name: expected "high", got "hugh"'),
    ("push", "made->value = value + 1;", "made->value = value + 2;", "# result->value: expected "),
    ("push", "made->next = head;", "made->next = NULL;", "# result->next: expected &head, got another pointer"),
    ("copy", "memcpy(made, from, sizeof *made)", "made->tag = 9", "# result->tag: expected "),
    ("set_far", "far[90] = value;", "far[90] = value - 1;", "# far[90]: expected "),
    ("set_far", "else far[91] = 7;", "else far[91] = 8;", "# far[91]: expected 7, got 8"),
    ("send_all", "motor(0, NULL);", ";", "expected motor(0, NULL), got no more calls"),
    ("send_all", "motor(0, NULL);", "motor(0, NULL); motor(0, NULL);", "expected no more calls, got motor(0, NULL)"),
    ("send_all", "motor(1, &why);", "motor(-1, &why);", "expected motor(1, {.tag = 'w', .value = 3, .next = NULL}), got"),
    ("send_all", "{'w', 3, NULL}", "{'w', 4, NULL}", ".value = 4"),
    ("send_all", "motor(1, &why);", "motor(1, NULL);", "got motor(1, NULL)"),
    ("send_all", MOTOR_FIRST, MOTOR_LAST, "got transmit(17, "),
    ("send_all", "(first + 1)", "(first + 2)", "expected transmit(17, {"),
    ("send_all", "spare.value = 4;", "spare.value = 5;", "got measure({0}, {.tag = _, .value = 5, .next = _})"),
    ("send_all", '"sent", 0.25f', '"lost", 0.25f', '"lost"'),
    ("send_all", '"sent", 0.25f', '"sent", 0.26f', "0.26"),
    ("divide", "return -0.0;", "return 0.0;", "# result: expected -0, got 0"),
    ("divide", "1.0 / 3.0", "1.0 / 3.0000000001", "# ratio: expected 0.33333333333333331, got 0.333333333"),
]  # fmt: skip


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("oracles")
    (folder / "unit.c").write_text(PROGRAM)
    words = [str(folder / "unit.c"), "-c", "branch", "-o", str(folder / "tests"), "--format", "plain,json"]
    assert cli.main(["generate", *words, "--quiet", "--max-runs", "500"]) == 0
    return folder


Check = Callable[..., str]


@pytest.fixture
def run_tests(written: Path, tmp_path: Path) -> Check:
    """Builds all tests with another text of the unit, and returns what they print."""

    def run(text: str, *flags: str, function: str = "*", compiler: str = "gcc") -> str:
        output = ""
        (tmp_path / "unit.c").write_text(text)
        (tmp_path / "tests").mkdir(exist_ok=True)
        for file in sorted((written / "tests").glob(f"test_unit_{function}.c")):
            (tmp_path / "tests" / file.name).write_text(file.read_text())
            build = [compiler, "-std=c11", *flags, "-o", "program", f"tests/{file.name}"]
            try:
                subprocess.run(build, cwd=tmp_path, check=True, capture_output=True)
            except FileNotFoundError:
                pytest.skip(f"needs {compiler}")
            ended = subprocess.run([tmp_path / "program"], check=False, capture_output=True, text=True)
            output += ended.stdout
        return output

    return run


def test_the_right_program_passes_wherever_it_lies_and_whatever_is_in_unwritten_memory(run_tests: Check) -> None:
    for flags in (["-O0"], ["-O2", "-Wall", "-Wextra", "-Werror"], ["-ftrivial-auto-var-init=pattern"]):
        printed = run_tests(PROGRAM, *flags)
        assert "not ok" not in printed and printed.count("ok ") > 12, printed


@pytest.mark.parametrize(("function", "right", "wrong", "message"), WRONG)
def test_a_wrong_program_fails_with_a_message(
    run_tests: Check, function: str, right: str, wrong: str, message: str
) -> None:
    assert PROGRAM.count(right) == 1
    printed = run_tests(PROGRAM.replace(right, wrong), function=function)
    assert "not ok" in printed
    assert message in printed


def test_a_tolerance_allows_what_other_targets_round_differently(run_tests: Check) -> None:
    other = PROGRAM.replace("1.0 / 3.0", "1.0 / 3.0000000001").replace("0.25f", "0.2500001f")
    assert "not ok" in run_tests(other)
    assert "not ok" not in run_tests(other, "-DTIGHTROPE_FLOAT_TOLERANCE=1e-6")
    assert "not ok" in run_tests(PROGRAM.replace("0.25f", "0.26f"), "-DTIGHTROPE_FLOAT_TOLERANCE=1e-6")


def test_the_option_writes_the_tolerance(tmp_path: Path) -> None:
    (tmp_path / "half.c").write_text("double half(double x) { if (x > 1) return x / 2; return 0; }")
    words = ["generate", str(tmp_path / "half.c"), "-o", str(tmp_path), "--float-tolerance", "1e-6", "--quiet"]
    assert cli.main(words) == 0
    assert "#define TIGHTROPE_FLOAT_TOLERANCE 1e-06" in (tmp_path / "test_half.c").read_text()


def test_json_lists_the_calls(written: Path) -> None:
    cases = json.loads((written / "tests" / "test_unit_send_all.json").read_text())["cases"]
    assert all(case["calls"][-1] == "motor(0, NULL)" for case in cases)
    assert any(call.startswith("transmit(17, {") for case in cases for call in case["calls"])
