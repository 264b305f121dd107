"""Runs label predicates natively beside what they are about: a statement, and the same statement mutated.

Each statement stands alone in a function, which is compiled three times: as it is, mutated, and with traps for what C
leaves undefined. Predicates are compiled with the same traps: evaluating one must never set one off where the statement
itself is defined.
"""

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from tightrope.function_syntax import find_syntax
from tightrope.objectives.labelling import find_labels
from tightrope.program.labels import Label
from tightrope.source.toolchain import find_compiler

_CLANG = (sys.executable, "-m", "ziglang", "cc")  # gcc loses overflows in what is narrowed afterwards
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
    syntax = find_syntax(find_compiler(None), one.unit(), ["f"], name="unit.c")["f"]
    return [each for each in find_labels([criterion], syntax) if each.location.line == LINE]


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
int main(void)
{
    struct sigaction action = {0};
    action.sa_handler = caught;
    action.sa_flags = SA_NODEFER;
    sigaction(SIGFPE, &action, 0); sigaction(SIGILL, &action, 0);
    sigaction(SIGSEGV, &action, 0); sigaction(SIGTRAP, &action, 0);
"""


def judge(folder: Path, one: Snippet, labels: list[Label], mutants: list[str]) -> list[str]:
    """What is wrong with the predicates of mutants, over all combinations of values; '' as mutant: only that nothing
    traps."""
    sign = f"{one.signature}, long long *out"
    wrapped = [f"void plain_{at}({sign}) {one.body(text)}" for at, text in enumerate(mutants) if text]
    checked = [f"void strict_{at}({sign}) {one.body(text)}" for at, text in enumerate(mutants) if text]
    plain = f"{_COMMON}void plain({sign}) {one.body(one.statement)}{''.join(wrapped)}"
    return _run(folder, plain, _strict(one, labels) + "".join(checked), _main(one, labels, mutants))


def judge_errors(folder: Path, one: Snippet, labels: list[Label]) -> list[str]:
    """Where some label of a run-time error holds and the statement does not trap, or the other way round."""
    return _run(folder, "", _strict(one, labels), _main_of_errors(one, labels))


def _strict(one: Snippet, labels: list[Label]) -> str:
    """The statement and the predicates, with traps."""
    sign = f"{one.signature}, long long *out"
    predicates = [
        f"int holds_{at}({sign}) {{ {one.locals} (void)out; return ({label.predicate}) != 0; }}\n"
        for at, label in enumerate(labels)
    ]
    return f"{_COMMON}void strict({sign}) {one.body(one.statement)}{''.join(predicates)}"


def _run(folder: Path, plain: str, strict: str, main: str) -> list[str]:
    program = folder / "program"
    main = main.replace("static int tab[4];", "int tab[4] = {1, 0, -5, 9};")
    for name, text, flags in (("plain", plain, _WRAPS), ("strict", strict, _TRAPS), ("main", main, _WRAPS)):
        (folder / f"{name}.c").write_text(text)
        words = ["-w", "-O0", "-c", str(folder / f"{name}.c"), "-o", str(folder / f"{name}.o")]
        subprocess.run([*_CLANG, *flags, *words], check=True)
    objects = [str(folder / f"{name}.o") for name in ("plain", "strict", "main")]
    subprocess.run([*_CLANG, *objects, "-o", str(program)], check=True)
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

    def say(self, sentence: str, label: Label) -> str:
        """C that prints a sentence (C too) about a label."""
        what = f"{label.text} | {label.predicate}".replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%")
        return f'printf("%s: {what} [{self.shown}]\\n", {sentence}, {self.indices});'


def _declarations(one: Snippet, labels: list[Label], mutants: list[str]) -> str:
    sign = f"{one.signature}, long long *out"
    found = [f"void plain({sign}); void strict({sign});"]
    found += [f"int holds_{at}({sign});" for at in range(len(labels))]
    found += [f"void plain_{at}({sign}); void strict_{at}({sign});" for at, text in enumerate(mutants) if text]
    return "\n".join((PRELUDE, *found, ""))


def _main(one: Snippet, labels: list[Label], mutants: list[str]) -> str:
    loops = _Loops(one)
    call = f"({loops.arguments}, none)"
    differ = " || ".join(f"now[{n}] != then[{n}]" for n in range(len(one.results)))
    lines = [
        "    static long long now[4], then[4], none[4]; int holds, died, is_zero;",
        f"    if (sigsetjmp(back, 1)) continue;\n    strict{call};",
    ]
    for at, (label, text) in enumerate(zip(labels, mutants, strict=True)):
        traps, zero = loops.say('"traps"', label), loops.say('"holds where the mutant divides by zero"', label)
        wrong = loops.say('holds ? "holds, but equal" : "differs, but does not hold"', label)
        lines.append(f"    if (sigsetjmp(back, 1)) {{ {traps} goto next_{at}; }}\n    holds = holds_{at}{call};")
        if text:
            lines += [
                "    died = sigsetjmp(back, 1); is_zero = died == SIGFPE;",
                f"    if (!died) {{ plain({loops.arguments}, now); plain_{at}({loops.arguments}, then); }}",
                f"    if (is_zero && holds) {zero}",
                f"    if (!died && !sigsetjmp(back, 1)) {{ strict_{at}{call};\n    if (holds != ({differ})) {wrong} }}",
            ]
        lines.append(f"    next_{at}:;")
    body = "\n".join(lines)
    return f"{_declarations(one, labels, mutants)}{_HARNESS}{loops.opening}{body}\n    }}\n    return 0;\n}}\n"


def _main_of_errors(one: Snippet, labels: list[Label]) -> str:
    loops = _Loops(one)
    call = f"({loops.arguments}, none)"
    lines = [
        "    static long long none[4]; int died, holds = 0;",
        f"    died = sigsetjmp(back, 1);\n    if (!died) strict{call};",
    ]
    for at, label in enumerate(labels):
        traps = loops.say('"traps"', label)
        lines.append(f"    if (!sigsetjmp(back, 1)) holds |= holds_{at}{call}; else {traps}")
    shown = loops.say('died ? "trapped, and none holds" : "holds, and nothing trapped"', labels[0])
    lines.append(f"    if (!!died != holds) {shown}")
    body = "\n".join(lines)
    return f"{_declarations(one, labels, [])}{_HARNESS}{loops.opening}{body}\n    }}\n    return 0;\n}}\n"
