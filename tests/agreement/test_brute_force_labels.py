"""Verdicts on labels against brute force: random functions of two 8-bit numbers, every input run natively.

The text that `annotate` writes is built by gcc with a `pc_label` that notes what it is given: nothing of our weaver and
runtime takes part. A second build stops at undefined behaviour: no predicate may have any, whatever the inputs.
TIGHTROPE_SEEDS=100:200 tries other functions than the few that are tried always.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from random_functions import FunctionWriter
from twin import Marked, reachable_vectors

import tightrope
from tightrope.commands.annotate import Annotated, annotate
from tightrope.coverage.labelling import find_labels
from tightrope.coverage.objective import Objective
from tightrope.coverage.verdict import Covered, Infeasible, Unknown, Verdict
from tightrope.engines.explore import explore
from tightrope.options.options import Options
from tightrope.options.targets import Target
from tightrope.program.marks.anchors import VALUE_TYPES, anchor_text, list_anchors
from tightrope.program.marks.labels import Form, Label
from tightrope.program.marks.marks import Marks
from tightrope.running.runner import Worker
from tightrope.source.toolchain import find_compiler
from tightrope.units.function_syntax import find_syntax
from tightrope.units.prepare import prepare_file, prepare_unit, start

pytestmark = pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc, which did not come from us")

CRITERIA = ("wm", "limit", "rte")
SEEDS = range(*map(int, os.environ.get("TIGHTROPE_SEEDS", "0:2").split(":")))
INCLUDE = Path(tightrope.__file__).parent / "include"

HEAD = """\
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
static volatile int label_now;
static char label_seen[100000], label_crashes[100000];
static sigjmp_buf behind;
#define pc_label(e, id, tag) ((void)(label_now = (id), label_seen[id] |= !!(e), label_now = 0))
"""
MAIN = """
static void leave(int number)
{
    label_crashes[label_now] = 1;
    label_now = 0;
    siglongjmp(behind, 1);
}
int main(void)
{
    signal(SIGFPE, leave), signal(SIGILL, leave), signal(SIGSEGV, leave), signal(SIGTRAP, leave);
    for (int a = -128; a < 128; a++)
        for (int b = -128; b < 128; b++)
            if (!sigsetjmp(behind, 1))
                f(a, b);
    for (int i = 1; i < 100000; i++)
        if (label_seen[i] || label_crashes[i])
            printf("%d %d\\n", i, label_crashes[i]);
    return 0;
}
"""


def run_every_input(text: str, folder: Path, *flags: str) -> tuple[set[int], set[int]]:
    """The labels that some input covers, and those whose predicate stops the program."""
    source, program = folder / "labelled.c", folder / "labelled"
    source.write_text(HEAD + text + MAIN)
    subprocess.run(["gcc", "-w", f"-I{INCLUDE}", *flags, str(source), "-o", str(program)], check=True)
    output = subprocess.run([str(program)], capture_output=True, text=True, check=True, timeout=300).stdout
    rows = [tuple(map(int, line.split())) for line in output.splitlines()]
    return {number for number, _ in rows}, {number for number, crashes in rows if crashes}


MAIN_CALLS = "for (int a = -128; a < 128; a++) for (int b = -128; b < 128; b++) f(a, b);"
KEPT_HEAD = """\
int printf(const char *, ...);
static char label_seen[100000];
void tightrope_label_begin(int id) { (void)id; }
void tightrope_label_end(int id, _Bool holds) { label_seen[id] |= holds; }
void tightrope_update_begin(void) {}
void tightrope_update_end(void) {}
"""
KEPT_MAIN = """
int main(void)
{
    for (int a = -128; a < 128; a++)
        for (int b = -128; b < 128; b++)
            f(a, b);
    for (int i = 0; i < 100000; i++)
        if (label_seen[i])
            printf("%d\\n", i);
    return 0;
}
"""
KEPT = {
    "steps": """
int f(signed char a, signed char b)
{
    int x = a, y = b, r = 0;
    if (x++ <= y && a == 3)
        r = 1;
    if (--y < 5 || x-- > 100)
        r += 2;
    do {
        r += x++ - 3;
    } while ((y += 40) < 130 && r < 50);
    return r + (x++ == y ? 2 : x-- * 2);
}
""",
    "calls": """
static int calls;
static int next(int n) { return ++calls % 3 + n; }
int f(signed char a, signed char b)
{
    calls = b & 1;
    int r = next(a) * next(b);
    if (next(1) > 2 && (next(a) == 5 || b))
        r++;
    while (next(0) < (a & 3) && r < 99)
        r += 7;
    return next(a) - next(a) == 0 ? r : -r;
}
""",
    "sizes": """
int f(signed char a, signed char b)
{
    int n = (a & 3) + 1, m = (b & 3) + 1, r = 0;
    if (sizeof(int[n++]) > 8 && a > 2)
        r = n * 2;
    if (a / (int)sizeof(int[n++]) > 3)
        r += n;
    r += (int)sizeof(char[m++]) - a;
    return r + m;
}
""",
    "pointers": """
static char text[8] = "ab";
int f(signed char a, signed char b)
{
    const char *p = text, *end = text + 3;
    volatile int port = b;
    double d = a;
    text[1] = b, text[2] = 0;
    int r = 0;
    while (*p++ != a && p < end)
        r++;
    if (p++ == end || port > 3)
        r += port - 1;
    if ((d += 0.5) > 2.5 && !(port < r))
        r = 0;
    return r;
}
""",
}


ERRORS = """
static const int t[4] = {1, 2, 600, 700};
static int calls;
static int next(int n) { return ++calls % 3 + n; }
int f(signed char a, signed char b)
{
    calls = 0;
    int i = a, x = b, r = 0;
    if (i > -3 && i < 3 && x > 0)
        r = t[++i + 2];
    if (x == 7)
        r += 100 / next(a);
    if (x == 9)
        r += 100 / (next(a) | 1);
    if (x == 11)
        r += 1 << (i++ & 63);
    if (x == 13)
        r += 1 << (i-- & 31);
    if (x == 15)
        r = next(a) / next(b);
    if (x == 17)
        r -= next(a);
    if (x == 19)
        r = *(next(a) > 100 ? (int *)0 : &i);
    r = r % 1000 + 2147483000;
    if (x > 100)
        return next(a) + r;
    return (x++ + 1) * 3;
}
"""


def numbers_seen(
    text: str, labels: Sequence[Label], folder: Path, level: str = "-O1", main: str = KEPT_MAIN
) -> set[int]:
    """The labels that some input covers where the text with anchors is compiled and run as it is."""
    marks = Marks(labels=tuple(labels))
    anchored = anchor_text(text, marks, list_anchors(marks))
    kinds = "\n".join(
        f"{kind} tightrope_then_{word}({kind} v, int i) {{ return v; }}" for kind, word in VALUE_TYPES.items()
    )
    (folder / "anchored.c").write_text(KEPT_HEAD + anchored + kinds + main)
    command = [
        *find_compiler().command,
        "-w",
        level,
        "-fwrapv",
        "-fno-sanitize=all",
        str(folder / "anchored.c"),
        "-o",
        str(folder / "anchored"),
    ]
    subprocess.run(command, check=True)
    output = subprocess.run([str(folder / "anchored")], capture_output=True, text=True, check=True, timeout=300).stdout
    return set(map(int, output.split()))


@pytest.mark.parametrize("name", KEPT)
def test_labels_behind_what_has_side_effects_agree_with_brute_force(tmp_path: Path, name: str) -> None:
    path = tmp_path / "unit.c"
    path.write_text(KEPT[name])
    criteria = ("wm", "limit")
    options = Options((Target(path, "f"),), criteria=criteria, time_limit=12.0, commanded={"criteria": criteria})
    compiler = find_compiler()
    syntax = find_syntax(compiler, KEPT[name], ["f"], name="unit.c")["f"]
    labels = find_labels(criteria, syntax)
    coverable = numbers_seen(syntax.text, labels, tmp_path)
    assert sum(bool(label.problem) for label in labels) == (name == "calls")  # an operand of && that jumps
    assert sum(label.form is Form.VALUE for label in labels) > 10
    assert wrong_kept(options, labels, coverable) == []


def test_errors_of_operands_with_side_effects_agree_with_brute_force(tmp_path: Path) -> None:
    """Where the run ends by the error, its label stands before that."""
    path = tmp_path / "unit.c"
    path.write_text(ERRORS)
    options = Options((Target(path, "f"),), criteria=("rte",), time_limit=12.0, commanded={"criteria": ("rte",)})
    syntax = find_syntax(find_compiler(), ERRORS, ["f"], name="unit.c")["f"]
    labels = find_labels(("rte",), syntax)
    includes = "\n#include <setjmp.h>\n#include <signal.h>\nstatic sigjmp_buf out;\n"
    handlers = f"{includes}static void leave(int n) {{ siglongjmp(out, n); }}\n"
    main = handlers + KEPT_MAIN.replace("{\n", "{\n    signal(SIGFPE, leave), signal(SIGSEGV, leave);\n", 1)
    main = main.replace("            f(a, b);", "            if (!sigsetjmp(out, 1)) f(a, b);")
    coverable = numbers_seen(syntax.text, labels, tmp_path, "-O0", main)
    kinds = {label.kind for label in labels if label.form is Form.VALUE and not label.problem}
    assert kinds == {"division", "index", "null", "overflow", "shift"}
    assert not any(label.problem for label in labels)
    assert any(n in coverable for n, label in enumerate(labels) if label.form is Form.VALUE)
    assert wrong_kept(options, labels, coverable) == []


# One operation with side effects per line that starts with `case`; gcc's sanitizer says which errors happen there.
SANITIZED = """
static int calls, t[4] = {1, 2, 3, 4};
static struct pair { int first, second; } pairs[2];
static int next(int n) { calls ^= 1; return n; }
static int *at(int n) { calls ^= 1; return n > 99 ? 0 : t; }
static struct pair *pair_at(int n) { calls ^= 1; return n < -99 ? 0 : pairs; }
static int big(void) { return calls = 2147483647; }
int f(signed char a, signed char b)
{
    int x = b == 127 ? 2147483647 : b == -128 ? -2147483647 - 1 : b, y = a > 0, n = b, r = 3, *p = t, *q = b == 5 ? 0 : t;
    long wide = a < 0 ? 9223372036854775807 : b;
    struct pair *s = b == 7 ? 0 : pairs;
    calls = 0, t[0] = 1, t[1] = 2, t[2] = 3, t[3] = 4, pairs[0] = (struct pair){0};
    switch (a & 31) {
    case 0: r += next(x); break;
    case 1: r -= y++ + 1; break;
    case 2: r = x / next(-1); break;
    case 3: r = next(x) / next(n); break;
    case 4: r = next(x) / (y++ - 1); break;
    case 5: x /= next(-1); break;
    case 6: x *= next(2); break;
    case 7: r = *p++; break;
    case 8: r = *q++; break;
    case 9: r = *at(n); break;
    case 10: r = at(n)[1]; break;
    case 11: r = pair_at(n)->second; break;
    case 12: s->first += next(1); break;
    case 13: s->first -= next(x); break;
    case 14: wide += next(1); break;
    case 15: wide -= y++; break;
    case 16: r <<= next(n); break;
    case 17: t[next(b & 7)] = 0; break;
    case 18: r = next(x) % next(y); break;
    case 19: *at(n) = 4; break;
    case 20: pair_at(x)->first = 2; break;
    case 21: r = t[y++] + x; break;
    case 22: x -= *q++; break;
    case 23: calls += big(); break;
    case 24: r = -next(x); break;
    case 25: x %= next(y); break;
    case 26: r = 100 / next(n | 1); break;
    case 27: r = (int)(next(n) * 2L); break;
    case 28: r = next(n) - next(x); break;
    case 29: *p++ = *q++; break;
    }
    return 0;
}
"""
_SANITIZED_KINDS = {
    "signed integer overflow": "overflow", "division by zero": "division", "by -1 cannot": "overflow", "negation": "overflow",
    "shift exponent": "shift", "out of bounds": "index", "null pointer": "null",
}  # fmt: skip


def errors_by_sanitizer(text: str, folder: Path) -> set[tuple[int, str]]:
    """Line and kind of each error that some input triggers, as gcc sees it."""
    head = "#include <setjmp.h>\n#include <signal.h>\n#include <sys/wait.h>\n#include <unistd.h>\nstatic sigjmp_buf out;\nint printf(const char *, ...);\n"
    head += "static char label_seen[100000];\nstatic void leave(int n) { siglongjmp(out, n); }\n#line 1"
    main = KEPT_MAIN.replace("{\n", "{\n    signal(SIGFPE, leave), signal(SIGSEGV, leave);\n", 1)
    main = main.replace("            f(a, b);", "            if (!sigsetjmp(out, 1)) f(a, b);")
    # a place is reported once in a process: of `x / y`, one of two errors
    main = main.replace("a++)\n", "a++) if (fork()) wait(0); else {\n").replace(
        "f(a, b);", "f(a, b);\n        return 0; }"
    )
    (folder / "judged.c").write_text(f"{head}\n{text}{main}")
    program = folder / "judged"
    subprocess.run(["gcc", "-w", "-O0", "-fsanitize=undefined", folder / "judged.c", "-o", program], check=True)
    said = subprocess.run([program], capture_output=True, text=True, check=True, timeout=300).stderr
    found = re.findall(r"judged\.c:(\d+):\d+: runtime error: (.*)", said)
    return {(int(line), kind) for line, message in found for part, kind in _SANITIZED_KINDS.items() if part in message}


def test_errors_are_those_that_a_sanitizer_reports(tmp_path: Path) -> None:
    path = tmp_path / "unit.c"
    path.write_text(SANITIZED)
    options = Options((Target(path, "f"),), criteria=("rte",), time_limit=60.0, commanded={"criteria": ("rte",)})
    lines = {at for at, line in enumerate(SANITIZED.split("\n"), 1) if line.startswith("    case")}
    found = [each for each in explore_objectives(options) if each[0].location.line in lines]
    happens = {each for each in errors_by_sanitizer(SANITIZED, tmp_path) if each[0] in lines}
    claimed: dict[tuple[int, str], list[Verdict]] = {}
    for objective, verdict, _ in found:
        claimed.setdefault((objective.location.line, objective.kind), []).append(verdict)
    assert {each for each, verdicts in claimed.items() if any(isinstance(one, Covered) for one in verdicts)} == happens
    assert all(isinstance(one, (Covered, Infeasible)) for verdicts in claimed.values() for one in verdicts)


# Decisions all of whose conditions have a value only where C evaluates them: the vectors of a twin are the judge.
LATE = Marked(
    """static int calls;
static int next(int n) { calls = (calls + 1) & 7; return n + calls; }
static _Bool is_odd(int n) { calls++; return n & 1; }
int f(signed char a, signed char b)
{
    int i = 0, n = a & 3, x = b, r = 0;
    double d = a;
    const char *p = "ab", *q;
    calls = b & 3;
    while («0:«0.0:p[i++] != 0» && «0.1:n-- > 0»») r++;
    if («1:«1.0:x++ > 3» || («1.1:x < -90» && «1.2:x-- < -100»)») r += 2;
    if («2:(«2.0:a > 5» && «2.1:n++») || «2.2:next(n) > 4»») r += 4;
    do r++; while («3:«3.0:r < 9» && !«3.1:next(0)» && «3.2:next(1) == 2»»);
    for (; «4:«4.0:is_odd(x)» && «4.1:x++ < 5»»; x += 2) r++;
    if («5:(«5.0:next(a) > b») == («5.1:next(b) > 3»)») r ^= 1;
    r += «6:!(«6.0:(d += 0.5) > 2.5» && «6.1:d < 100»)» ? 3 : 4;
    if («7:«7.0:calls++ > 3» && «7.1:calls < 7»») r ^= 2;
    if («8:«8.0:(q = «14:«14.0:x & 1»» ? p : 0)» && «8.1:*q++ == 'a'» && («8.2:*q» || «8.3:next(x) > 9»)») r ^= 4;
    if («9:«9.0:a > 3» ? «9.1:x++ > 5» : «9.2:--x > 6»») r ^= 8;
    if («10:«10.0:n--» && («10.1:1» || «10.2:sizeof(long) == 4») && «10.3:n == 2»») r ^= 16;
    if («11:«11.0:({ if («15:«15.0:x > 90»») goto out; x--; }) > 7» && «11.1:x-- > 9»») r ^= 32;
    if («12:__builtin_expect(!!(«12.0:next(1) > 3»), 1)») r ^= 64;
    switch («13:«13.0:n > 1» && «13.1:x--»») { case 0: r++; break; default: r--; }
out:
    return r;
}
""",
    {
        0: "c0 and c1", 1: "c0 or (c1 and c2)", 2: "(c0 and c1) or c2", 3: "c0 and not c1 and c2", 4: "c0 and c1",
        5: "c0 == c1", 6: "not (c0 and c1)", 7: "c0 and c1", 8: "c0 and c1 and (c2 or c3)", 9: "c1 if c0 else c2",
        10: "c0 and (c1 or c2) and c3", 11: "c0 and c1", 12: "c0", 13: "c0 and c1", 14: "c0", 15: "c0",
    },
    {(10, 1): True, (10, 2): False},
)  # fmt: skip


@pytest.mark.parametrize("criterion", ["label-cc", "label-mcc"])
def test_conditions_with_side_effects_agree_with_brute_force(tmp_path: Path, criterion: str) -> None:
    path = tmp_path / "unit.c"
    path.write_text(LATE.plain)
    options = Options(
        (Target(path, "f"),), criteria=(criterion,), time_limit=90.0, commanded={"criteria": (criterion,)}
    )
    vectors = reachable_vectors(LATE, MAIN_CALLS, tmp_path)
    by_place: dict[tuple[int, int], list[tuple[Objective, Verdict]]] = {}
    for objective, verdict, _ in explore_objectives(options):
        by_place.setdefault((objective.location.line, objective.location.column), []).append((objective, verdict))
    wrong = []
    for number, place in zip(LATE.order, sorted(by_place), strict=True):
        free = LATE.constants_of(number)
        for objective, verdict in by_place[place]:
            found = re.findall(r"c(\d+):(true|false)", objective.id)
            wanted = {int(at) - 1: value == "true" for at, value in found if int(at) - 1 not in free}
            can_be = any(all(each.values[at] is value for at, value in wanted.items()) for each in vectors[number])
            if not isinstance(verdict, Covered if can_be else Infeasible):
                wrong.append(f"{objective.id} ({objective.text}): {verdict}, brute force: {can_be}")
    assert wrong == []


def test_a_condition_that_nothing_changes_counts_where_c_does_not_evaluate_it(tmp_path: Path) -> None:
    """Beside one with side effects; what effects may have changed by then is unknown, other effects too."""
    text = """
int f(int a, int n, int x)
{
    if (n-- > 0 && a == 3)
        return 1;
    if ((a > 7 && x == 2) || x++ > 5)
        return 2;
    if ((n--, a) && n == 3)
        return 3;
    return 0;
}
"""
    path = tmp_path / "unit.c"
    path.write_text(text)
    options = Options((Target(path, "f"),), criteria=("label-mcc",), time_limit=30.0, commanded={"criteria": 1})
    found = {each.id.removeprefix("f:label-mcc:"): verdict for each, verdict, _ in explore_objectives(options)}
    unknown = {ident for ident, verdict in found.items() if isinstance(verdict, Unknown)}
    assert not any(isinstance(verdict, Infeasible) for ident, verdict in found.items() if "+2" in ident)
    assert {ident.partition(":condition")[2] for ident in unknown} == {
        ":c1:false:c2:true:c3:true", ":c1:false:c2:true:c3:false", ":c1:false:c2:false:c3:true",
        ":c1:false:c2:false:c3:false", "",
    }  # fmt: skip


def test_the_predicate_of_a_label_keeps_the_spaces_in_a_string(tmp_path: Path) -> None:
    """With one space less, the character at 3 would be no `b`."""
    path = tmp_path / "unit.c"
    path.write_text("""int f(int i, char c)
{
    if (i == 3 && c == 'b')
        return "a  b"[i] == c;
    return 0;
}
""")
    options = Options((Target(path, "f"),), criteria=("limit",), time_limit=30.0, commanded={"criteria": 1})
    found = {each.id: verdict for each, verdict, _ in explore_objectives(options) if each.location.line == 4}
    kinds = {ident.rpartition(":")[2]: type(verdict) for ident, verdict in found.items()}
    assert kinds == {"equal": Covered, "below": Infeasible, "above": Infeasible}


def wrong_kept(options: Options, labels: Sequence[Label], coverable: set[int]) -> list[str]:
    found: dict[tuple[str, ...], list[tuple[str, Verdict]]] = {}
    for objective, verdict, label in explore_labels(options):
        found.setdefault(_short(label), []).append((objective.id, verdict))
    wrong = []
    for number, label in enumerate(labels):
        if label.problem:
            continue
        ident, verdict = found[_short(label)].pop(0)
        if not isinstance(verdict, (Covered if number in coverable else Infeasible, Unknown)):
            wrong.append(f"{ident}: {verdict}, brute force: {number in coverable}: {label.shown}")
    assert not any(found.values())
    return wrong


def _short(label: Label) -> tuple[str, ...]:
    return (label.criterion, label.what, label.text, f"{label.location.line}:{label.location.column}")


def explore_labels(options: Options) -> list[tuple[Objective, Verdict, Label]]:
    """Those that can be placed."""
    return [(objective, verdict, label) for objective, verdict, label in explore_objectives(options) if label]


def explore_objectives(options: Options) -> list[tuple[Objective, Verdict, Label | None]]:
    (target,) = options.targets
    unit = prepare_unit(prepare_file(find_compiler(), target.file, options, lambda warning: None), "f", options)
    worker = Worker()
    try:
        with start(unit, worker, options) as runner:
            found = explore(unit, runner, options, lambda ledger, progress: None)
    finally:
        worker.close()
    assert found.progress.divergences == 0
    labels = dict(zip(unit.woven.points.labels, unit.marks.labels, strict=True))
    return [
        (objective, verdict, labels[objective.points[0]] if objective.points else None)
        for objective, verdict in found.ledger
    ]


def numbers_of(annotated: Annotated, labels: Sequence[Label]) -> list[int | None]:
    """The number that each label has in the annotated text; equal ones come in the same order."""
    left = [(number, _key(label)) for number, label in enumerate(annotated.written, 1)]
    found: list[int | None] = []
    for label in labels:
        at = next((position for position, (_, key) in enumerate(left) if key == _key(label)), None)
        found.append(None if at is None else left.pop(at)[0])
    return found


def _key(label: Label) -> tuple[str, ...]:
    place = f"{label.location.line}:{label.location.column}"
    return (label.criterion, label.kind, label.text, "".join(label.predicate.split()), place)


def wrong_verdicts(options: Options, folder: Path, *, may_be_unknown: bool) -> list[str]:
    annotated = annotate(replace(options, instrumentation="tight"))
    coverable, _ = run_every_input(annotated.text, folder, "-fwrapv", "-O1")
    found = explore_labels(options)
    numbers = numbers_of(annotated, [label for _, _, label in found])
    assert sum(number is not None for number in numbers) > 0.8 * len(annotated.written)
    wrong = []
    for (objective, verdict, label), number in zip(found, numbers, strict=True):
        is_open = may_be_unknown and isinstance(verdict, Unknown)
        if (
            number is not None
            and not is_open
            and not isinstance(verdict, Covered if number in coverable else Infeasible)
        ):
            wrong.append(f"{objective.id}: {verdict}, brute force: {number in coverable}: {label.predicate}")
    return wrong


@pytest.mark.parametrize("seed", SEEDS)
def test_verdicts_agree_with_brute_force(tmp_path: Path, seed: int) -> None:
    path = tmp_path / "unit.c"
    path.write_text(FunctionWriter(seed).program(2))
    options = Options((Target(path, "f"),), criteria=CRITERIA, time_limit=600.0, commanded={"criteria": CRITERIA})
    assert wrong_verdicts(options, tmp_path, may_be_unknown=False) == [], path.read_text()


@pytest.mark.parametrize("seed", SEEDS)
def test_direct_instrumentation_gives_no_wrong_verdict(tmp_path: Path, seed: int) -> None:
    """Each label is a branch there, so that paths are too many to see them all."""
    path = tmp_path / "unit.c"
    path.write_text(FunctionWriter(seed).program(1))
    options = Options((Target(path, "f"),), criteria=CRITERIA, time_limit=4.0, commanded={"criteria": CRITERIA})
    options = replace(options, instrumentation="direct")
    assert wrong_verdicts(options, tmp_path, may_be_unknown=True) == [], path.read_text()


@pytest.mark.parametrize("seed", SEEDS)
def test_predicates_are_safe(tmp_path: Path, seed: int) -> None:
    path = tmp_path / "unit.c"
    path.write_text(FunctionWriter(seed).program(3))
    options = Options((Target(path, "f"),), criteria=CRITERIA, commanded={"criteria": CRITERIA})
    annotated = annotate(options)
    flags = ("-fsanitize=undefined", "-fno-sanitize-recover=all", "-fsanitize-undefined-trap-on-error")
    _, unsafe = run_every_input(annotated.text, tmp_path, *flags)
    assert [annotated.written[number - 1].predicate for number in sorted(unsafe)] == []
