"""What C does with pointers, as the compiler writes it down."""

from __future__ import annotations

import pytest

from tightrope.program.declarations.debug_info import read_debug_info
from tightrope.program.ir.read_ir import normalise, read_program
from tightrope.program.pointers.pointer_use import Use, find_pointer_uses
from tightrope.program.pointers.touched_members import touched_members

HEAD = """
#include <string.h>
#include <stdlib.h>
#include <stdio.h>
struct point { int x, y; };
struct node { struct node *next; int value; struct point at; char name[8]; int *data; int count; char *text; };
struct holder { void *thing; struct node *first; };
struct flexible { int count; int data[]; };
typedef struct { int *numbers; char *label; } nameless;
struct flags { unsigned a : 3, b : 9, c : 20, d : 10; };
struct pair { int first, second; };
struct head { int kind; int size; };
struct body { int kind; int size; int value; int rest; };
struct big { long a, b, c; char *d; };
struct node *head; char **names; struct holder keep; int *cursor; char *line;
extern void outside(void *);
"""


@pytest.fixture
def read(compile_c):
    def read(code: str):
        raw, normal = normalise(compile_c(HEAD + code))
        return read_program(normal, raw), read_debug_info(raw)

    return read


def words(use: Use) -> str:
    flags = [name[3:] for name in use.__slots__ if name.startswith("is_") and name != "is_known" and getattr(use, name)]
    return " ".join([*flags, *([str(use.least_count)] if use.least_count > 1 else [])])


P0, P1 = ("parameter", 0), ("parameter", 1)
MEMBERS = {"next": 0, "data": 32, "count": 40, "text": 48}


def member(name: str) -> tuple[str, str, int]:
    return ("member", "node", MEMBERS[name])


USES = [
    ("index", "int f(int *p, int n) { int s = 0; for (int i = 0; i < n; i++) s += p[i]; return s; }", P0, "indexed read"),
    ("constant index", "int f(int *p) { return p[3] + p[0]; }", P0, "read 4"),
    ("walk to an end", "int f(int *p, int *e) { int s = 0; while (p != e) s += *p++; return s; }", P0, "indexed read matched"),
    ("the end is only compared", "int f(int *p, int *e) { int s = 0; while (p != e) s += *p++; return s; }", P1, "matched"),
    ("one object", "void f(int *p) { *p = 3; }", P0, "written"),
    ("moved by hand", "int f(int *p) { int a = *p++; int b = *p++; return a + b; }", P0, "read 2"),
    ("end by constant", "int f(int *p) { int *e = p + 10; return p == e; }", P0, "matched 10"),
    ("checked", "int f(int *p) { return p ? 1 : 2; }", P0, "compared"),
    ("checked in a callee", "static int g(int *q) { return !q; } int f(int *p) { return g(p); }", P0, "compared"),
    ("unused", "int f(int *p) { return 1; }", P0, ""),
    ("string", "int f(char *s) { return strlen(s) > 3; }", P0, "string read"),
    ("number in a string", "long f(char *s) { char *e; long n = strtol(s, &e, 10); return *e ? -1 : n; }", P0, "indexed string read"),
    ("printed", 'void f(char *s) { printf("%s", s); }', P0, "string read"),
    ("found in a string", "int f(char *s) { char *q = strchr(s, ','); return q ? q[1] : 0; }", P0, "indexed string read"),
    ("list", "int f(struct node *p) { int s = 0; for (; p; p = p->next) s += p->value; return s; }", P0, "compared read"),
    ("list member", "int f(struct node *p) { int s = 0; for (; p; p = p->next) s += p->value; return s; }", member("next"), "compared read"),
    ("recursion", "int f(struct node *p) { return p ? p->value + f(p->next) : 0; }", member("next"), "compared read"),
    ("array member is no array of records", "int f(struct node *p, int i) { return p->name[i]; }", P0, "read"),
    ("pointer member", "int f(struct node *p) { return p->data[p->count]; }", member("data"), "indexed read"),
    ("records by index", "int f(struct node *p, int i) { return p[i].value + p[2].value; }", P0, "indexed read 3"),
    ("string member", "int f(struct node *p) { return atoi(p->text); }", member("text"), "string read"),
    ("cursor member", "int f(struct node *p) { return *p->text++; }", member("text"), "indexed read"),
    ("arguments", "int f(int c, char **v) { return c > 1 && !strcmp(v[1], \"x\"); }", P1, "read 2"),
    ("each argument", "int f(int c, char **v) { for (int i = 0; i < c; i++) if (!strcmp(v[i], \"x\")) return i; return 0; }", ("element", P1), "string read"),
    ("pointer to pointer", "int f(char **p) { while (**p == ' ') (*p)++; return **p; }", ("element", P0), "indexed read"),
    ("passed on by address", "static void g(char **q) { while (**q) (*q)++; } int f(char *s) { g(&s); return *s; }", P0, "indexed read"),
    ("given back through a pointer", "static void g(char **q, char *s) { *q = s; } int f(char *s) { char *c; g(&c, s); return c[2]; }", P0, "read 3"),
    ("returned", "static int *g(int *q) { return q + 1; } int f(int *p) { return g(p)[2]; }", P0, "read 4"),
    ("recursive descent", "int f(char *s) { return *s ? 1 + f(s + 1) : 0; }", P0, "indexed read"),
    ("global", "int f(void) { return head ? head->value : 0; }", ("global", "@head"), "compared read"),
    ("global array of strings", "int f(int i) { return names[i][0]; }", ("global", "@names"), "indexed read"),
    ("what it holds", "int f(int i) { return strlen(names[i]); }", ("element", ("global", "@names")), "string read"),
    ("kept in a global", "int f(int *p, int n) { cursor = p; int s = 0; while (n--) s += *cursor++; return s; }", P0, "indexed read"),
    ("member of a global", "int f(void) { return keep.first == 0; }", ("member", "holder", 8), "compared"),
    ("copied bytes", "void f(char *d, const char *s, unsigned long n) { memcpy(d, s, n); }", P0, "indexed written"),
    ("compared bytes", "int f(const char *a, const char *b) { return memcmp(a, b, 8); }", P0, "read"),
    ("rows", "int f(int (*a)[4], int i) { return a[3][i]; }", P0, "read 4"),
    ("nameless record", "int f(nameless *p, int i) { return p->numbers[i]; }", ("member", "nameless", 0), "indexed read"),
    ("record by value", "int g(struct big b) { return b.d[1]; } int f(struct big *p) { return g(*p); }", ("member", "big", 24), "read 2"),
    ("copy of a record", "int f(struct big *p) { struct big c = *p; return c.d[1]; }", ("member", "big", 24), "read 2"),
    ("copy of a record is no array", "int f(struct big *p) { struct big c = *p; return c.d[1]; }", P0, "read"),
    ("choice", "int f(int *p, int *q, int c) { int *r = c ? p : q; return r[2]; }", P1, "read 3"),
    ("by function pointer", "static int g(int *q) { return q[5]; } int (*call)(int *) = g; int f(int *p) { return call(p); }", P0, "read 6"),
    ("sorted", "static int g(const void *a, const void *b) { return *(int *)a - *(int *)b; } void f(int *p, int n) { qsort(p, n, 4, g); }", P0, "indexed written read"),
    ("second parameter after a record", "int f(struct pair a, int *p) { return a.first + p[1]; }", P1, "read 2"),
    ("second parameter after a split record", "int f(nameless a, int *p) { return p[1]; }", P1, "read 2"),
    ("result in memory", "struct big f(int *p) { struct big b = {p[2]}; return b; }", P0, "read 3"),
]  # fmt: skip


@pytest.mark.parametrize(("code", "holder", "expected"), [row[1:] for row in USES], ids=[row[0] for row in USES])
def test_use(read, code, holder, expected):
    program, ctypes = read(code)
    assert words(find_pointer_uses(program, "f", ctypes).of(holder)) == expected


@pytest.mark.parametrize(("code", "holder", "expected"), [row[1:] for row in USES if "record" not in row[0]])
def test_use_without_the_types_of_c(read, code, holder, expected):
    program, _ = read(code)
    assert words(find_pointer_uses(program, "f").of(holder)) == expected


def test_bytes_that_are_asked_for(read):
    program, ctypes = read("void f(char *d, const struct node *s) { memcpy(d, s, sizeof *s); memset(d, 0, 8); }")
    uses = find_pointer_uses(program, "f", ctypes)
    assert (uses.of(P0).least_bytes, uses.of(P1).least_bytes) == (56, 56)


def test_a_pointer_that_leaves_our_sight_is_not_known(read):
    program, ctypes = read("void f(char *p, char *q) { outside(p); *q = 0; }")
    uses = find_pointer_uses(program, "f", ctypes)
    assert not uses.of(P0).is_known and uses.of(P1).is_known
    assert not uses.of(("parameter", 7)).is_known


def touched(read, code: str, record: str, *offsets: int) -> list[bool]:
    program, ctypes = read(code)
    found = touched_members(program, "f", ctypes)
    return [found.may_touch(record, offset) for offset in offsets]


TOUCHED = [
    ("one member", "int f(struct node *p) { return p->value; }", "node", {8}),
    ("none", "int f(struct node *p) { return p != 0; }", "node", set()),
    ("written only", "void f(struct node *p) { p->value = 1; p->count++; }", "node", {40}),
    ("address taken", "int *f(struct node *p) { return &p->value; }", "node", {8}),
    ("in a callee", "static int g(struct node *q) { return q->count; } int f(struct node *p) { return g(p); }", "node", {40}),
    ("inner record", "int f(struct node *p) { return p->at.y; }", "node", {12}),
    ("member of an inner record", "int f(struct node *p) { return p->at.y; }", "point", {4}),
    ("copy as a whole", "void f(struct node *p, struct node *q) { *p = *q; }", "node", set()),
    ("copy, then a look", "int f(struct node *p) { struct node c = *p; return c.count; }", "node", {40}),
    ("small copy, then a look, and what LLVM copies beside it", "int f(struct big *p) { struct big c = *p; return c.c; }", "big", {16, 24}),
    ("given outside", "void f(struct node *p) { outside(p); }", "node", {8, 12, 20, 32, 40, 48}),
    ("given outside by a callee", "static void g(void *q) { outside(q); } void f(struct node *p) { g(p); }", "node", {8, 12, 20, 32, 40, 48}),
    ("member given outside", "void f(struct node *p) { outside(&p->at); }", "node", {12}),
    ("inner record given outside", "void f(struct node *p) { outside(&p->at); }", "point", {4}),
    ("compared as bytes", "int f(struct node *p, struct node *q) { return memcmp(p, q, sizeof *p); }", "node", {8, 12, 20, 32, 40, 48}),
    ("compared in part", "int f(struct node *p, struct node *q) { return memcmp(p, q, 16); }", "node", {8, 12}),
    ("compared from a member on", "int f(struct big *p, struct big *q) { return memcmp(&p->b, &q->b, 16); }", "big", {8, 16}),
    ("hashed as bytes", "int f(struct node *p) { char *c = (char *)p; int h = 0; for (int i = 0; i < 64; i++) h += c[i]; return h; }", "node", {8, 12, 20, 32, 40, 48}),
    ("hashed by a callee", "static int g(void *v, int n) { char *c = v; int h = 0; while (n--) h += *c++; return h; } int f(struct node *p) { return g(p, 64); }", "node", {8, 12, 20, 32, 40, 48}),
    ("one byte", "int f(struct node *p) { return ((char *)p)[9]; }", "node", {8}),
    ("copied to bytes", "int f(struct node *p, int i) { char b[64]; memcpy(b, p, 64); return b[i]; }", "node", {8, 12, 20, 32, 40, 48}),
    ("copied to bytes by a callee", "static void g(void *d, void *s, int n) { memcpy(d, s, n); } int f(struct node *p, int i) { char b[64]; g(b, p, 64); return b[i]; }", "node", {8, 12, 20, 32, 40, 48}),
    ("seen as another record", "int f(struct body *p) { return ((struct head *)p)->size; }", "body", {4}),
    ("seen as another record by a callee", "static int g(struct head *h) { return h->size; } int f(struct body *p) { return g((struct head *)p); }", "body", {4}),
    ("passed in registers", "static int g(struct pair v) { return v.second; } int f(struct pair *p) { return g(*p); }", "pair", {4}),
    ("bit-field", "int f(struct flags *p) { return p->d; }", "flags", {4}),
    ("through void", "int f(struct holder *h) { return ((struct big *)h->thing)->b; }", "big", {8}),
    ("by index", "int f(struct node *p, int i) { return p[i].count; }", "node", {40}),
    ("global", "int f(void) { return head->count; }", "node", {40}),
    ("flexible array member", "int f(struct flexible *p, int i) { return p->data[i]; }", "flexible", {4}),
    ("sorted", "static int g(const void *a, const void *b) { return ((struct pair *)a)->second - ((struct pair *)b)->second; } void f(struct pair *p, int n) { qsort(p, n, 8, g); }", "pair", {4}),
    ("kept elsewhere", "int f(struct node *p) { keep.thing = p; return ((struct node *)keep.thing)->count; }", "node", {40}),
    ("kept as another record", "int f(struct body *p) { keep.thing = p; return ((struct head *)keep.thing)->size; }", "body", {4}),
    ("assembly", "void f(struct node *p) { __asm__(\"\" :: \"r\"(p) : \"memory\"); }", "node", {8, 12, 20, 32, 40, 48}),
    ("address as a number", "int f(struct node *p) { unsigned long n = (unsigned long)p; return ((int *)(n + 8))[0]; }", "node", {8, 12, 20, 32, 40, 48}),
    ("difference of addresses", "long f(struct node *p, struct node *q) { return p - q; }", "node", set()),
    ("freed", "void f(struct node *p) { free(p); }", "node", set()),
    ("inner record compared as bytes", "int f(struct node *p, struct node *q) { return memcmp(p, q, sizeof *p); }", "point", {4}),
    ("inner record compared in part", "int f(struct node *p, struct node *q) { return memcmp(p, q, 20); }", "point", {4}),
    ("inner record not compared", "int f(struct node *p, struct node *q) { return memcmp(p, q, 12); }", "point", set()),
    ("behind a pointer of what is given outside", "void f(struct holder *h) { outside(h); }", "node", {8, 12, 20, 32, 40, 48}),
    ("not behind a pointer of what is compared", "int f(struct holder *h, struct holder *i) { return memcmp(h, i, 16); }", "node", set()),
    ("as a variable argument", "static int g(int n, ...) { __builtin_va_list a; __builtin_va_start(a, n); char *p = __builtin_va_arg(a, char *); __builtin_va_end(a); return p[n]; } int f(struct node *p, int n) { return g(n, p); }", "node", {8, 12, 20, 32, 40, 48}),
    ("in a record by value", "struct box { int n; char *p; }; static struct box g(char *p) { struct box b = {1, p}; return b; } int f(struct node *p, int i) { return g((char *)p).p[i]; }", "node", {8, 12, 20, 32, 40, 48}),
    ("the other member of a union", "union both { struct body b; struct big g; }; int f(union both *u) { return u->g.b; }", "body", {8, 12}),
    ("differences beside casts", "long f(struct node *p, struct node *q, long n) { return p - q + *(int *)n; }", "node", set()),
    ("written to a file", "void f(struct node *p, FILE *o) { fwrite(p, sizeof *p, 1, o); }", "node", {8, 12, 20, 32, 40, 48}),
]  # fmt: skip
OFFSETS = {"node": (8, 12, 20, 32, 40, 48), "point": (4,), "big": (8, 16, 24), "body": (4, 8, 12), "pair": (4,), "flags": (4,), "flexible": (4,)}  # fmt: skip


@pytest.mark.parametrize(("code", "record", "expected"), [row[1:] for row in TOUCHED], ids=[row[0] for row in TOUCHED])
def test_touched(read, code, record, expected):
    offsets = OFFSETS[record]
    looked_at = touched(read, code, record, *offsets)
    assert {offset for offset, yes in zip(offsets, looked_at, strict=True) if yes} == expected


def test_a_stub_looks_at_nothing(read):
    program, ctypes = read("void f(struct node *p) { outside(p); }")
    assert not touched_members(program, "f", ctypes, stubs={"@outside"}).may_touch("node", 8)


def test_the_first_member_and_unknown_records_are_always_touched(read):
    program, ctypes = read("int f(struct node *p) { return 0; }")
    found = touched_members(program, "f", ctypes)
    assert found.may_touch("node", 0) and found.may_touch("who", 8) and found.may_touch("", 8)
    assert found.may_touch("anon", 8)
