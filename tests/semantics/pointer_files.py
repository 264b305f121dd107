"""Random files in which functions call each other, also through pointers, for what the store says about edits.

All that an edit of one function may change for another one is there: addresses are taken in code, in tables of the file
and in tables of functions; pointers to functions are parameters, members, variables and results; variables of the file
are first mentioned here or there; texts have lengths that the code reveals.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

_HEAD = """\
typedef int (*op)(int);
typedef long (*wide)(long, char *);
struct ops { op run; wide far; int n; char name[6]; struct ops *next; };
void keep(op);
int ask(int, char *);
op find(int);
static int a0, a1 = 4, a2;
int shared;
static char text[8];
static op hook;
static struct ops own;
"""
_KINDS = {
    "int": "int {}(int x)",
    "static": "static int {}(int x)",
    "wide": "static long {}(long x, char *s)",
    "ops": "int {}(struct ops *o, int x)",
    "call": "int {}(op c, int x)",
    "chars": "int {}(char *s, int x)",
}
_STATEMENTS = {
    "": (
        "r += a{d}; a{e} = (int)x;",
        "if (x > {n}) r -= {d};",
        "if (x == {n} && a{d} > {e}) return {d};",
        "{{ static int mine{d}; mine{d} += (int)x; r += mine{d}; }}",
        "for (int i = 0; i < {d}; i++) r ^= text[i];",
        "shared = r;",
        "switch ((int)x & 3) {{ case 1: r = {n}; break; case {d} + 2: r++; }}",
        "r += ask((int)x, text);",
    ),
    "calls": (
        "r += {int}((int)x + {d});",
        "r += (int){wide}(x, text);",
        "hook = {int};",
        "if (hook) r += hook({d});",
        "own.run = {int}; own.far = {wide};",
        "if (own.far) r += (int)own.far(x, text);",
        "keep({int});",
        "{{ op p = x > {d} ? {int} : {int2}; r += p({d}); }}",
        "{{ static const op table[2] = {{ {int}, {int2} }}; r += table[x & 1]({n}); }}",
        "{{ op p = find({d}); if (p) r += p((int)x); }}",
        "r += hook == {int};",
    ),
    "ops": (
        "if (o && o->run) r += o->run(x);",
        "if (o && o->far && o->far(x, o->name) > {d}) r++;",
        "if (o) o->run = {int};",
        "if (o && o->n > {n} && o->name[{d}] == 'q') r = 0;",
        "if (o && o->next && o->next->n == {d}) r = {n};",
    ),
    "call": ("if (c) r += c(x + {d});", "hook = c;", "r += c == {int};"),
    "chars": ("if (s && s[{d}] == 'k') r++;", "while (s && *s && r < {n} + 20) {{ r += *s; s++; }}", "r += *s == {d};"),
    "wide": ("if (s) s[{d}] = 'z';", "if (s && s[0] == 'w') r++;"),
}


@dataclass(frozen=True)
class PointerFile:
    """`bodies`: by function, in their order."""

    kinds: dict[str, str]
    bodies: dict[str, str]
    tables: str

    def text(self, lines: int = 0) -> str:
        """Each body with at least so many lines."""
        heads = {name: _KINDS[kind].format(name) for name, kind in self.kinds.items()}
        declared = "".join(f"{head};\n" for head in heads.values())
        bodies = {name: body + "\n" * (lines - body.count("\n")) for name, body in self.bodies.items()}
        return f"{_HEAD}{declared}{self.tables}" + "".join(f"{heads[name]}\n{{\n{bodies[name]}}}\n" for name in heads)


class PointerFiles:
    def __init__(self, seed: int) -> None:
        self.random = Random(f"pointers {seed}")
        kinds = ["int", "static", "wide", *self.random.choices(sorted(_KINDS), k=self.random.randint(5, 8))]
        self.random.shuffle(kinds)
        self.kinds = {f"f{number}": kind for number, kind in enumerate(kinds)}

    def first(self) -> PointerFile:
        named = [name for name, kind in self.kinds.items() if kind in ("int", "static")]
        tables = f"static op table[2] = {{ {self.random.choice(named)}, 0 }};\n" if self.random.random() < 0.3 else ""
        return PointerFile(self.kinds, {name: self._body(name) for name in self.kinds}, tables)

    def edited(self, file: PointerFile) -> tuple[PointerFile, str]:
        """The file with another body of one function, and which; sometimes of the same length."""
        name = self.random.choice([*self.kinds])
        lines = file.bodies[name].splitlines(keepends=True)
        if self.random.random() < 0.4:
            body = self._body(name)
        else:
            at = self.random.randrange(1, len(lines))
            new = f"    {self._statement(name)}\n" if self.random.random() < 0.7 else ""
            body = "".join((*lines[:at], new, *lines[at:]))
        return PointerFile(file.kinds, {**file.bodies, name: body}, file.tables), name

    def _body(self, name: str) -> str:
        count = self.random.randint(1, 3)
        own = "".join(f"    {self._statement(name)}\n" for _ in range(count))
        return f"    int r = 0;\n{own}    return r;\n"

    def _statement(self, name: str) -> str:
        kind = self.kinds[name]
        rows = [*_STATEMENTS[""], *_STATEMENTS["calls"], *_STATEMENTS.get(kind, ()) * 3]
        ints = [each for each, other in self.kinds.items() if other in ("int", "static")]
        words = {
            "int": self.random.choice(ints),
            "int2": self.random.choice(ints),
            "wide": self.random.choice([each for each, other in self.kinds.items() if other == "wide"]),
            "d": self.random.randrange(3),
            "e": self.random.randrange(3),
            "n": self.random.randrange(9),
        }
        return self.random.choice(rows).format(**words)
