"""Runs label predicates natively beside what they are about: a statement, and the same statement mutated.

Each statement stands alone in a function, which is compiled three times: as it is, mutated, and with traps for what C
leaves undefined. Predicates are compiled with the same traps: evaluating one must never set one off where the statement
itself is defined. Many statements share a program: what is called `plain` below is `plain` with the number of its case.
"""

import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tightrope.coverage.labelling import find_labels
from tightrope.program.c_text.syntax import FunctionSyntax
from tightrope.program.marks.labels import Label
from tightrope.source.toolchain import find_compiler
from tightrope.units.function_syntax import find_syntax

# gcc loses overflows in what is narrowed afterwards
_WRAPS = ("-fno-sanitize=all", "-fwrapv")
_TRAPS = ("-fsanitize=undefined", "-fno-sanitize=shift-base", "-fsanitize-trap=undefined")
LINE = 3  # of the statement in the unit
VALUES = {
    "int": "-2147483647-1, -7, -3, -2, -1, 0, 1, 2, 3, 5, 31, 32, 2147483647",
    "unsigned": "0, 1, 2, 3, 7, 31, 32, 33, 0x7fffffffu, 0x80000000u, 0xffffffffu",
    "short": "-32768, -3, -1, 0, 1, 2, 3, 32767",
    "unsigned char": "0, 1, 2, 3, 127, 128, 255",
    "long": "-9223372036854775807L-1, -3, -1, 0, 1, 2, 3, 9223372036854775807L",
    "_Bool": "0, 1",
    "double": '-__builtin_inf(), -2.5, -1, 0, 0.5, 1, 2, 2.5, __builtin_inf(), __builtin_nan("")',
    "struct s *": "0, &some[0], &some[1], &some[2]",
    "enum e": "RED, GREEN, BLUE",
}
PRELUDE = (
    "enum e { RED, GREEN, BLUE = 7 }; struct s { int x; unsigned short h; struct s *next; }; static int tab[4]; int g; "
    "int ext(int);"
)


@dataclass(frozen=True)
class Snippet:
    """`statement` with these parameters; what it has done is in `results`."""

    parameters: tuple[tuple[str, str], ...]  # (type, name)
    statement: str
    results: tuple[str, ...]
    locals: str = ""

    @property
    def signature(self) -> str:
        return ", ".join(f"{kind} {name}" for kind, name in self.parameters)

    def body(self, statement: str) -> str:
        stores = " ".join(f"out[{at}] = (long long){name};" for at, name in enumerate(self.results))
        return f"{{ {self.locals}\n{statement}\n{stores} }}\n"

    def unit(self) -> str:
        """The statement is line 3, and has the first column for itself."""
        return f"{PRELUDE}\nvoid f({self.signature}, long long *out) {self.body(self.statement)}"


def snippet(parameters: str, statement: str, *results: str, locals: str = "") -> Snippet:
    """Parameters as in C, results by name: those that are not given are `r`, a local."""
    pairs = [part.strip().rpartition(" ") for part in parameters.split(",")]
    known = tuple((kind, name) for kind, _, name in pairs)
    return Snippet(known, statement, results or ("r",), locals or ("" if results else "long long r = 77;"))


def labels_of(one: Snippet, criterion: str) -> list[Label]:
    """The labels about the statement."""
    return [each for each in find_labels([criterion], _syntax_of(one)) if each.location.line == LINE]


@cache
def _syntax_of(one: Snippet) -> FunctionSyntax:
    return find_syntax(find_compiler(None), one.unit(), ["f"], name="unit.c")["f"]


def mutated(one: Snippet, label: Label) -> str:
    """The statement as the mutant has it, made from the words of the label."""
    before, _, after = label.text.partition(" as ")
    at = label.location.column - 1
    assert one.statement[at:].startswith(before), (one.statement[at:], before)
    return f"{one.statement[:at]}{after if label.kind == 'lhs' else f'({after})'}{one.statement[at + len(before) :]}"


_SHARED = PRELUDE.replace("static int tab", "extern int tab").replace("int g;", "extern int g;")
_COMMON = f"{_SHARED}\n#define abs(x) ((x) < 0 ? -(x) : (x))\n"

_HARNESS = """\
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
static sigjmp_buf back;
static void caught(int number) { siglongjmp(back, number); }
static struct s some[3] = {{3, 2, 0}, {-1, 0, &some[0]}, {0, 9, 0}};
int ext(int a) { return a; }
static void watch(void)
{
    struct sigaction action = {0};
    action.sa_handler = caught;
    action.sa_flags = SA_NODEFER;
    sigaction(SIGFPE, &action, 0); sigaction(SIGILL, &action, 0);
    sigaction(SIGSEGV, &action, 0); sigaction(SIGTRAP, &action, 0);
}
"""


@dataclass(frozen=True)
class Case:
    """A statement with labels about it, and the mutant of each; '' as mutant: only that nothing traps."""

    one: Snippet
    labels: list[Label]
    mutants: list[str]


def judge(folder: Path, cases: Sequence[Case]) -> list[str]:
    """What is wrong with the predicates of mutants, over all combinations of values."""
    plain, strict, main = _COMMON, _COMMON, ""
    for number, case in enumerate(cases):
        one, sign = case.one, f"{case.one.signature}, long long *out"
        mutants = [(f"{number}_{at}", one.body(text)) for at, text in enumerate(case.mutants) if text]
        plain += f"void plain{number}({sign}) {one.body(one.statement)}"
        plain += "".join(f"void plain{name}({sign}) {body}" for name, body in mutants)
        strict += _strict(number, case) + "".join(f"void strict{name}({sign}) {body}" for name, body in mutants)
        main += _main(number, case)
    return _run(folder, plain, strict, main, len(cases))


def judge_errors(folder: Path, cases: Sequence[Case]) -> list[str]:
    """Where some label of a run-time error holds and the statement does not trap, or the other way round."""
    strict = _COMMON + "".join(_strict(number, case) for number, case in enumerate(cases))
    main = "".join(_main_of_errors(number, case) for number, case in enumerate(cases))
    return _run(folder, "", strict, main, len(cases))


def _strict(number: int, case: Case) -> str:
    """The statement and the predicates, with traps."""
    one, sign = case.one, f"{case.one.signature}, long long *out"
    predicates = [
        f"int holds{number}_{at}({sign}) {{ {one.locals} (void)out; return ({label.predicate}) != 0; }}\n"
        for at, label in enumerate(case.labels)
    ]
    return f"void strict{number}({sign}) {one.body(one.statement)}{''.join(predicates)}"


def _run(folder: Path, plain: str, strict: str, main: str, count: int) -> list[str]:
    program, compiler = folder / "program", find_compiler(environment={}).command
    calls = " ".join(f"case{number}();" for number in range(count))
    main = f"{PRELUDE}\n{_HARNESS}{main}int main(void) {{ watch(); {calls} return 0; }}\n"
    main = main.replace("static int tab[4];", "int tab[4] = {1, 0, -5, 9};")
    for name, text, flags in (("plain", plain, _WRAPS), ("strict", strict, _TRAPS), ("main", main, _WRAPS)):
        (folder / f"{name}.c").write_text(text)
        words = ["-w", "-O0", "-c", str(folder / f"{name}.c"), "-o", str(folder / f"{name}.o")]
        subprocess.run([*compiler, *flags, *words], check=True)
    objects = [str(folder / f"{name}.o") for name in ("plain", "strict", "main")]
    subprocess.run(
        [*compiler, *objects, "-nostdlib", "-lc", "-o", str(program)], check=True
    )  # zig has no runtime to build
    done = subprocess.run([str(program)], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done
    return done.stdout.splitlines()


class _Loops:
    """Loops over all combinations of values."""

    def __init__(self, one: Snippet) -> None:
        names = [name for _, name in one.parameters]
        arrays = [f"    {kind} in_{name}[] = {{ {VALUES[kind]} }};\n" for kind, name in one.parameters]
        counts = [f"    for (unsigned i_{n} = 0; i_{n} < sizeof in_{n} / sizeof *in_{n}; i_{n}++)\n" for n in names]
        self.opening = "".join([*arrays, *counts, "    {\n"])
        self.arguments = ", ".join(f"in_{name}[i_{name}]" for name in names)
        self.shown = " ".join(f"{name}#%u" for name in names)
        self.indices = ", ".join(f"i_{name}" for name in names)
        self.statement = one.statement

    def say(self, sentence: str, label: Label) -> str:
        """C that prints a sentence (C too) about a label."""
        what = f"{label.text} | {label.predicate} in {self.statement}"
        what = what.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%")
        return f'printf("%s: {what} [{self.shown}]\\n", {sentence}, {self.indices});'


def _declarations(number: int, case: Case) -> str:
    sign = f"{case.one.signature}, long long *out"
    found = [f"void plain{number}({sign}); void strict{number}({sign});"]
    found += [f"int holds{number}_{at}({sign});" for at in range(len(case.labels))]
    names = [f"{number}_{at}" for at, text in enumerate(case.mutants) if text]
    found += [f"void plain{name}({sign}); void strict{name}({sign});" for name in names]
    return "\n".join((*found, ""))


def _main(number: int, case: Case) -> str:
    loops = _Loops(case.one)
    call = f"({loops.arguments}, none)"
    differ = " || ".join(f"now[{n}] != then[{n}]" for n in range(len(case.one.results)))
    lines = [
        "    static long long now[4], then[4], none[4]; int holds, died, is_zero;",
        f"    if (sigsetjmp(back, 1)) continue;\n    strict{number}{call};",
    ]
    for at, (label, text) in enumerate(zip(case.labels, case.mutants, strict=True)):
        name = f"{number}_{at}"
        traps, zero = loops.say('"traps"', label), loops.say('"holds where the mutant divides by zero"', label)
        wrong = loops.say('holds ? "holds, but equal" : "differs, but does not hold"', label)
        lines.append(f"    if (sigsetjmp(back, 1)) {{ {traps} goto next_{at}; }}\n    holds = holds{name}{call};")
        if text:
            both = f"plain{number}({loops.arguments}, now); plain{name}({loops.arguments}, then);"
            lines += [
                "    died = sigsetjmp(back, 1); is_zero = died == SIGFPE;",
                f"    if (!died) {{ {both} }}",
                f"    if (is_zero && holds) {zero}",
                f"    if (!died && !sigsetjmp(back, 1)) {{ strict{name}{call};\n    if (holds != ({differ})) {wrong} }}",
            ]
        lines.append(f"    next_{at}:;")
    return _function(number, case, loops, lines)


def _main_of_errors(number: int, case: Case) -> str:
    loops = _Loops(case.one)
    call = f"({loops.arguments}, none)"
    lines = [
        "    static long long none[4]; int died, holds = 0;",
        f"    died = sigsetjmp(back, 1);\n    if (!died) strict{number}{call};",
    ]
    for at, label in enumerate(case.labels):
        traps = loops.say('"traps"', label)
        lines.append(f"    if (!sigsetjmp(back, 1)) holds |= holds{number}_{at}{call}; else {traps}")
    shown = loops.say('died ? "trapped, and none holds" : "holds, and nothing trapped"', case.labels[0])
    lines.append(f"    if (!!died != holds) {shown}")
    return _function(number, case, loops, lines)


def _function(number: int, case: Case, loops: _Loops, lines: list[str]) -> str:
    body = "\n".join(lines)
    return f"{_declarations(number, case)}static void case{number}(void)\n{{\n{loops.opening}{body}\n    }}\n}}\n"
