"""The syntax of functions as the compilers of this machine give it."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tightrope.errors import CompileError
from tightrope.program.c_text.constant_expressions import constant_value
from tightrope.program.c_text.syntax import SyntaxNode
from tightrope.program.decisions.decisions import Decision, recover_decisions
from tightrope.source.compile import compile_to_object
from tightrope.source.toolchain import Compiler, find_compiler
from tightrope.units.function_syntax import find_syntax

CLANGS = [None, *(f"clang-{major}" for major in range(15, 23) if shutil.which(f"clang-{major}"))]


@pytest.fixture(params=CLANGS, ids=str)
def compiler(request) -> Compiler:
    return find_compiler(request.param, {})


def decisions(compiler: Compiler, file: Path, text: str | bytes, name: str = "f", flags=(), **rest) -> list[Decision]:
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    syntax = find_syntax(compiler, f'#include "{file}"\n', [name], flags, **rest)[name]
    return list(recover_decisions(syntax, f"@{name}"))


def test_places_in_macros_and_behind_them(compiler: Compiler, tmp_path: Path):
    text = "#define LOW 3\n#define IN(x) ((x) > LOW)\nint f(int a, int b) {\n  return IN(a) &&\n    b < LOW;\n}\n"
    (found,) = decisions(compiler, tmp_path / "unit.c", text)
    first, second = found.conditions
    assert found.text == "IN(a) && b < LOW"
    assert [each.text for each in found.conditions] == ["(a) > 3", "b < LOW"]
    assert (first.location.line, first.location.column, first.is_in_macro) == (4, 10, True)
    assert (second.location.line, second.location.column, second.is_in_macro) == (5, 5, False)
    assert found.location.file == str(tmp_path / "unit.c")


def test_lines_that_the_user_renumbers(compiler: Compiler, tmp_path: Path):
    text = 'int f(int a, int b) {\n#line 50 "grammar.y"\n  if (a &&\n      b) return 1;\n  return 0;\n}\n'
    (found,) = decisions(compiler, tmp_path / "unit.c", text)
    places = [(Path(each.location.file).name, each.location.line, each.location.column) for each in found.conditions]
    assert places == [("grammar.y", 50, 7), ("grammar.y", 51, 7)]


def test_a_macro_that_spans_lines(compiler: Compiler, tmp_path: Path):
    """The preprocessed text has all of it on one line."""
    text = (
        "#define BOTH(x, y) (x && y)\nint f(int a, int b) {\n  if (BOTH(a,\n     b) && b) return 1;\n  return 0;\n}\n"
    )
    (found,) = decisions(compiler, tmp_path / "unit.c", text)
    assert [each.location.line for each in found.conditions] == [3, 3, 4]


def test_bytes_that_are_no_text(compiler: Compiler, tmp_path: Path):
    text = b'int f(char *p) { /* \xe4 */ return p == (void *)"\xe4\xf6" && p[0]; }\n'
    (found,) = decisions(compiler, tmp_path / "unit.c", text)
    assert found.conditions[1].text == "p[0]"
    assert found.location.column == text.index(b"p ==") + 1


def test_a_header_included_by_a_flag_is_there_once(compiler: Compiler, tmp_path: Path):
    (tmp_path / "config.h").write_text("struct config { int on; };\n#define VALUE VALUE_OF(1)\n#define VALUE_OF(x) x\n")
    flags = ("-include", "config.h", "-DLIMIT=LIMIT_OF(4)", "-DLIMIT_OF(x)=x", "-DSELF=SELF")
    text = "int SELF;\nint f(struct config *c) { return c->on > LIMIT && VALUE && SELF; }\n"
    folder = tmp_path / "unit.c"
    (found,) = decisions(compiler, folder, text, flags=flags, working_directory=tmp_path)
    assert [each.text for each in found.conditions] == ["c->on > LIMIT", "1", "SELF"]
    assert [each.constant for each in found.conditions] == [None, True, None]


def test_a_function_in_a_header_that_is_found_relative_to_the_folder(compiler: Compiler, tmp_path: Path):
    (tmp_path / "inc").mkdir()
    (tmp_path / "inc" / "small.h").write_text("static inline int f(int a) { return !a; }\n")
    text = '#include "small.h"\nint g(int a) { return f(a); }\n'
    (found,) = decisions(compiler, tmp_path / "unit.c", text, flags=("-Iinc",), working_directory=tmp_path)
    assert (found.location.file, found.text) == (str(tmp_path / "inc" / "small.h"), "!a")


def test_names_that_contain_each_other(compiler: Compiler, tmp_path: Path):
    text = """struct f { int f; }; typedef int (*ff)(struct f *);
int f_f(struct f *f) { return f && f->f; }
int f(struct f *p) { ff af = f; return f_f(p) || (p && f(p + 1)) || af == 0; }
static int f2(int f) { return !f; }
"""
    (found,) = decisions(compiler, tmp_path / "unit.c", text)
    assert [each.text for each in found.conditions] == ["f_f(p)", "p", "f(p + 1)", "af == 0"]
    assert not any(each.is_in_macro for each in found.conditions)
    (other,) = decisions(compiler, tmp_path / "unit.c", text, "f_f")
    assert [each.text for each in other.conditions] == ["f", "f->f"]


def test_several_functions_of_one_text(compiler: Compiler, tmp_path: Path):
    file = tmp_path / "unit.c"
    file.write_text("int f(int a) { return !a; }\nint g(int a) { return a || f(a); }\nint h(int);\n")
    found = find_syntax(compiler, f'#include "{file}"\n', ["f", "g", "h", "nobody"])
    assert sorted(found) == ["f", "g"]
    assert found["f"].text == found["g"].text
    assert found["g"].slice(found["g"].root) == "int g(int a) { return a || f(a); }"


def test_a_body_that_must_not_be_taken_for_one(compiler: Compiler, tmp_path: Path):
    """[[...(...)]] of a structure looks like a function to us: then everything is parsed."""
    text = 'struct [[deprecated("x")]] t { int a; } v;\nint f(int a) { return a && v.a; }\n'
    (found,) = decisions(compiler, tmp_path / "unit.c", text, flags=("-std=gnu2x",))
    assert [each.text for each in found.conditions] == ["a", "v.a"]


def test_a_long_chain(compiler: Compiler, tmp_path: Path):
    chain = "".join(f"if (a == {each}) return {each};\nelse " for each in range(150))
    found = decisions(compiler, tmp_path / "unit.c", f"int f(int a) {{\n{chain} return 0; }}\n")
    assert len(found) == 150
    assert [each.location.line for each in found] == list(range(2, 152))


def test_c_that_does_not_compile(tmp_path: Path):
    with pytest.raises(CompileError, match="does not compile"):
        decisions(find_compiler(None, {}), tmp_path / "unit.c", "int f(int a) { return b; }")


CONSTANTS = [
    "0", "1", "-1", "'a'", "'\\0'", "!3", "~0", "~-1", "1 + 2 - 3", "2 * 3 == 6", "7 / 2 == 3", "-7 / 2 == -3", "-7 % 3 == -1",
    "1 << 4", "256 >> 9", "(unsigned char)256", "(signed char)127", "(unsigned)-1 > 0", "-1 < 0u", "0u - 1 > 5", "1 ? 0 : 5",
    "0 ? 5 : 2", "1 && 0", "0 || 2", "sizeof(int) == 4", "sizeof(char) - 1", "RED", "GREEN == 5", "GREEN & 2", "5 ^ 5",
    "0x7fffffff > 0", "4294967296 > 0", "(long)1 << 40", "(_Bool)256", "0.0", "0.5", "1.5 > 1", "2.0 == 2", "3 | 4", "(3, 0)",
    "-2147483647 - 1 < 0", "18446744073709551615u + 1", "+0", "__extension__ 1", "0b101 == 5", "'\\xff' == -1",
]  # fmt: skip


UNTOLD = {"(3, 0)", "'\\xff' == -1"}


def test_constants_are_those_of_the_compiler(tmp_path: Path):
    """For each that we give a value, the compiler confirms it."""
    head = "enum colour { RED, GREEN = 5 };\n"
    functions = "".join(f"void f{at}(void) {{ (void)({each}); }}\n" for at, each in enumerate(CONSTANTS))
    names = [f"f{at}" for at in range(len(CONSTANTS))]
    found = find_syntax(find_compiler(None, {}), head + functions, names)
    known = {text: value_of(found[name].root) for name, text in zip(names, CONSTANTS, strict=True)}
    told = {text: value for text, value in known.items() if value is not None}
    claims = "".join(f'_Static_assert(({text}) == {value}, "");\n' for text, value in told.items())
    compile_to_object(find_compiler(None, {}), head + claims)
    assert set(CONSTANTS) - set(told) == UNTOLD


def value_of(function: SyntaxNode) -> int | float | None:
    """Of the expression in `(void)(expression);`, the only statement."""
    statement = function.children[-1].children[0]
    return constant_value(statement.children[0], {"RED": 0, "GREEN": 5})


def test_what_is_no_constant_has_no_value():
    text = "int v; volatile const int k = 3; int g(void);\nint f(int a) { return a && k && v && g() && 1 / 0; }\n"
    (decision,) = recover_decisions(find_syntax(find_compiler(None, {}), text, ["f"])["f"], "@f")
    assert {each.constant for each in decision.conditions} == {None}
    assert constant_value(None, {}) is None


# What only the compiler knows, in places where it makes no code. A plain program says what is true.
WORLD = """
#include <stddef.h>
enum colour { RED = sizeof(long), GREEN };
struct pair { char first; int second; int bits : 3; }; union both { char c[12]; double d; };
typedef short number; static const int fixed = 5; static const int table[3] = {1, 2, 3};
int v; extern int far __attribute__((weak)); static int own(int x) { return x; }
"""
FOLDED = [
    "sizeof(struct pair) == 12", "sizeof(struct pair) == 8", "offsetof(struct pair, second) == 4", "_Alignof(union both) == 8",
    "GREEN == 9", "RED - 8", "LOCAL == 4", "LOCAL == 7", "sizeof \"abc\" == 4", "sizeof(\"abc\") == 3", '"abc"[1] == \'b\'',
    "(number)70000 == 4464", "(char)200 < 0", "'\\xff' == -1", "3.5f > 2", "1.0f / 3 == 1.0 / 3", "(int)3.9 == 3",
    "__builtin_types_compatible_p(int, long)", "__builtin_types_compatible_p(number, short)", "__builtin_constant_p(3)",
    "__builtin_strlen(\"abc\") == 3", "_Generic(v, int: 1, default: 0)", "_Generic(1.0, int: 1, default: 0)",
    'sizeof "a  b" == 5', "sizeof(a) == sizeof v", "sizeof(own(3)) == 8", "(1 ? 0 : a) == 3", "(0 && a) + 1", "(1 || a) == 2", "&v != 0", "(void *)0", "own",
    "fixed == 5", "table[1] == 3", "__builtin_choose_expr(sizeof(int) == 4, 1, 0)", "(a, 0)", "-1 < sizeof(int)", "0x1p-1 == 0.5",
    "sizeof(int[LOCAL]) == 28", "(unsigned char)~0 == 255", "1.5L > 1", "__builtin_clz(1) == 31", '"text"', "~0u >> 31 == 1",
]  # fmt: skip
NO_CONSTANTS = [
    "a",
    "own(3)",
    "sizeof(int[a]) == 4",
    "v == v",
    "*(int *)256",
    "&far",
    "v++",
    "({ v = 3; })",
    "a + LOCAL",
    "__builtin_constant_p(a)",  # the optimiser decides that
]


@pytest.mark.parametrize("flags", [(), ("-funsigned-char", "-std=c99")], ids=["usual", "unsigned char"])
def test_what_the_compiler_folds(compiler: Compiler, tmp_path: Path, flags: tuple[str, ...]):
    every = (*FOLDED, *NO_CONSTANTS)
    body = "".join(f"    if (a || (0 && ({each}))) v++;\n" for each in every)
    local = "enum { LOCAL = sizeof(int) + 3 };"
    found = decisions(compiler, tmp_path / "unit.c", f"{WORLD}void f(int a) {{ {local}\n{body}}}\n", flags=flags)
    outer = (each for each in found if each.role == "if")  # some hold another decision
    told = {text: decision.conditions[-1].constant for text, decision in zip(every, outer, strict=True)}
    assert {text: told[text] for text in NO_CONSTANTS} == dict.fromkeys(NO_CONSTANTS)
    assert {text: told[text] for text in FOLDED} == _said_by_a_program(compiler, tmp_path, local, flags)


def _said_by_a_program(compiler: Compiler, folder: Path, local: str, flags: tuple[str, ...]) -> dict[str, bool]:
    prints = "".join(f"putchar('0' + !!({each}));\n" for each in FOLDED)
    (folder / "says.c").write_text(f"#include <stdio.h>\n{WORLD}int main(int a, char **w) {{ {local}\n{prints}}}\n")
    words = (*compiler.command, *flags, "-w", "-Wno-error", "-g0", "-o", folder / "says", folder / "says.c")
    subprocess.run(words, check=True, capture_output=True, timeout=120)
    said = subprocess.run([folder / "says"], check=False, capture_output=True, text=True, timeout=60).stdout
    return {text: digit == "1" for text, digit in zip(FOLDED, said, strict=True)}


def test_what_the_compiler_cannot_be_asked_has_a_problem(tmp_path: Path):
    """The question has the condition twice: a label in it, or a type, would be declared twice."""
    text = (
        "int f(int a) {\n  if (a || (0 && sizeof(struct own { int x; }) == 3)) return 1;\n"
        "  return a || (0 && sizeof(int) == 2) || (0 && sizeof(short[3]) == 6); }\n"
    )
    unasked, asked = decisions(find_compiler(None, {}), tmp_path / "unit.c", text)
    assert (
        unasked.problem == "the compiler could not be asked whether `sizeof(struct own { int x; }) == 3` is a constant"
    )
    assert [each.constant for each in asked.conditions] == [None, False, False, False, True]


def test_comments_for_documents_hide_no_place(compiler: Compiler, tmp_path: Path):
    """clang's dump has nodes for them, in the text before it is preprocessed alone."""
    text = "/** What f does.\n * \\param a in */\nint f(int a, int b) {\n  /** what n is */ int n = a;\n  return n && b; }\n"
    (found,) = decisions(compiler, tmp_path / "unit.c", text)
    places = [(each.location.line, each.location.column) for each in found.conditions]
    assert places == [(5, 10), (5, 15)]
