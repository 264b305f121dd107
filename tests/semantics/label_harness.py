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
_TRAPS = ("-fsanitize=undefined", "-fsanitize-trap=undefined")
LINE = 3  # of the statement in the unit
VALUES = {
    "int": "-2147483647-1, -7, -3, -2, -1, 0, 1, 2, 3, 5, 31, 32, 2147483647",
    "unsigned": "0, 1, 2, 3, 7, 31, 32, 33, 0x7fffffffu, 0x80000000u, 0xffffffffu",
    "short": "-32768, -3, -1, 0, 1, 2, 3, 32767",
    "unsigned char": "0, 1, 2, 3, 127, 128, 255",
    "long": "-9223372036854775807L-1, -3, -1, 0, 1, 2, 3, 9223372036854775807L",
    "_Bool": "0, 1",
    "double": "-__builtin_inf(), -2.5, -1, 0, 0.5, 1, 2, 2.5, __builtin_inf(), __builtin_nan(\"\")",
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
    """What is wrong with the predicates, over all combinations of values; '' as mutant: only that nothing traps."""
    plain, strict = folder / "plain.c", folder / "strict.c"
    sign = f"{one.signature}, long long *out"
    wrapped = [f"void plain_{at}({sign}) {one.body(text)}" for at, text in enumerate(mutants) if text]
    plain.write_text(f"{_COMMON}void plain({sign}) {one.body(one.statement)}{''.join(wrapped)}")
    checked = [f"void strict_{at}({sign}) {one.body(text)}" for at, text in enumerate(mutants) if text]
    predicates = [
        f"int holds_{at}({sign}) {{ {one.locals} (void)out; return ({label.predicate}) != 0; }}\n"
        for at, label in enumerate(labels)
    ]
    strict.write_text(
        f"{_COMMON}void strict({sign}) {one.body(one.statement)}{''.join(checked)}{''.join(predicates)}"
    )
    main = folder / "main.c"
    main.write_text(_main(one, labels, mutants).replace("static int tab[4];", "int tab[4] = {1, 0, -5, 9};"))
    program = folder / "program"
    for flags, file in ((_WRAPS, plain), (_TRAPS, strict), (_WRAPS, main)):
        subprocess.run([*_CLANG, *flags, "-w", "-O0", "-c", str(file), "-o", str(file.with_suffix(".o"))], check=True)
    objects = [str(each.with_suffix(".o")) for each in (plain, strict, main)]
    subprocess.run([*_CLANG, *objects, "-o", str(program)], check=True)
    done = subprocess.run([str(program)], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done
    return done.stdout.splitlines()


def _main(one: Snippet, labels: list[Label], mutants: list[str]) -> str:
    names = [name for _, name in one.parameters]
    sign = f"{one.signature}, long long *out"
    declared = [f"void plain({sign}); void strict({sign});"]
    for at, text in enumerate(mutants):
        declared.append(f"int holds_{at}({sign});")
        declared += [f"void plain_{at}({sign}); void strict_{at}({sign});"] if text else []
    lines = [PRELUDE, "\n".join(declared), "\n", _HARNESS.replace("    struct sigaction", "    struct sigaction", 1)]
    for kind, name in one.parameters:
        lines.append(f"    {kind} in_{name}[] = {{ {VALUES[kind]} }};\n")
    for _, name in one.parameters:
        lines.append(f"    for (unsigned i_{name} = 0; i_{name} < sizeof in_{name} / sizeof *in_{name}; i_{name}++)\n")
    arguments = ", ".join(f"in_{name}[i_{name}]" for name in names)
    lines.append("    {\n    static long long now[4], then[4], none[4]; int holds, died, is_zero;\n")
    lines.append(f"    if (sigsetjmp(back, 1)) continue;\n    strict({arguments}, none);\n")
    shown = " ".join(f"{name}#%u" for name in names)
    indices = ", ".join(f"i_{name}" for name in names)
    for at, (label, text) in enumerate(zip(labels, mutants, strict=True)):
        what = f"{label.text} | {label.predicate}".replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%")
        say = f'printf("%s: {what} [{shown}]\\n", '
        lines.append(f'    if (sigsetjmp(back, 1)) {{ {say}"traps", {indices}); goto next_{at}; }}\n')
        lines.append(f"    holds = holds_{at}({arguments}, none);\n")
        if text:
            lines.append(f"    died = sigsetjmp(back, 1); is_zero = died == SIGFPE;\n")
            lines.append(f"    if (!died) {{ plain({arguments}, now); plain_{at}({arguments}, then); }}\n")
            lines.append(f"    if (is_zero && holds) {say}\"holds where the mutant divides by zero\", {indices});\n")
            lines.append(f"    if (!died && !sigsetjmp(back, 1)) {{ strict_{at}({arguments}, none);\n")
            differ = " || ".join(f"now[{n}] != then[{n}]" for n in range(len(one.results)))
            lines.append(f"    if (holds != ({differ})) {say}holds ? \"holds, but equal\" : \"differs, but does not hold\", {indices}); }}\n")
        lines.append(f"    next_{at}:;\n")
    return "".join([*lines, "    }\n    return 0;\n}\n"])
