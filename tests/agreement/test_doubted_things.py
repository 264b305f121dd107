"""Infeasible against brute force, beside things that no input varies: static locals, volatile data, stubs, possible
aliases, strings and lists of any length. Conditions are asked again, and loops go round, so that much is infeasible for a
plain reason, and much looks so until somebody changes the doubted thing in between. Callers do that here.

Each thing has one function; TIGHTROPE_SEEDS=100:200 tries these seeds with all of them."""

from __future__ import annotations

import os

import pytest
from callers import Family, Writer, wrong_verdicts

RANDOM = "unsigned r = 1; for (int turn = 0; turn < 30000; turn++) { r = r * 1664525u + 1013904223u; "
A, B = "(r & 64 ? (int)(r >> 16 & 15) - 4 : (int)r)", "(r & 128 ? (int)(r >> 20 & 15) - 4 : (int)(r << 3))"

STATE = Family(
    "int a, int b",
    "static int calls, last; int k; calls++;",
    ("a", "b", "(a & 3)", "calls", "last", "clamp(a)", "a - b", "(unsigned char)a", "k"),
    ("last = a", "k = last", "calls = b & 7", "k = a & 3", "set(&last, b)", "if (last == 2) return 7"),
    f"{RANDOM} CALL({A}, {B}); }}",
)
DEVICE = Family(
    "int a, struct box *b",
    "int k, v = device; if (!b) return -1;",
    ("device", "v", "(v & 3)", "(device & 1)", "a", "b->mode", "(b == 0)", "k"),
    ("v = device", "b->mode = v", "k = device & 3", "b->level = a", "v = b->level", "set(&v, device)"),
    f"struct box x = {{0}}; {RANDOM} x.mode = {B}; x.level = {A}; CALL({A}, &x); }}",
)
STUBBED = Family(
    "int a, struct box *b",
    "int k, s = 0; if (!b) return -1;",
    ("a", "level", "b->mode", "s", "mode", "(s & 3)", "(b != 0)", "limits[2]", "k"),
    (
        "note(a)",
        "s = sensor()",
        "k = level",
        "b->mode = s",
        "mode = a",
        "level = s",
        "fetch(&s)",
        "s = clamp(sensor())",
    ),
    f"struct box x = {{0}}; {RANDOM} x.mode = {B}; level = {A}; mode = {B}; watched = r & 256 ? &x.mode : &level; "
    f"CALL({A}, &x); }}",
)
POINTERS = Family(
    "int *p, long *q, struct box *b, int a",
    "int k; if (!p || !q || !b) return -1;",
    ("*p", "(int)*q", "b->mode", "b->slots[1]", "b->slots[a & 3]", "a", "(p == 0)", "(b == 0)", "level", "k"),
    ("*p = a", "*q = a", "b->mode = 2", "b->slots[a & 3] = 1", "b->level = *p", "memset(b->slots, 0, sizeof b->slots)",
     "set(p, 3)", "set(&b->mode, a)", "level = 1", "p = &b->slots[a & 3]"),
    f"struct box x = {{0}}, y = {{0}}; long other = 0; {RANDOM} x.mode = {B}; x.slots[1] = {A}; y.slots[3] = {B}; level = {A}; "
    "int *places[] = {&x.mode, x.slots, &x.slots[1], &x.slots[3], &y.level, &level}; "
    "long *longs[] = {(long *)&x, (long *)x.slots, &other, (long *)&y.slots[2]}; "
    f"CALL(places[(r >> 9) % 6], longs[r >> 12 & 3], r & 256 ? &x : &y, {A}); }}",
)  # fmt: skip
LOCALS = Family(
    "int a, int b",
    "int k, t[4] = {a, b, 0, 1}, u = a, *r = b > 2 ? &u : t; struct box s = {a, b, 0, {1, 2, a, b}}, z = s;",
    ("t[0]", "t[a & 3]", "u", "*r", "s.mode", "z.level", "s.slots[b & 3]", "limits[1]", "limits[a & 3]", "a", "k"),
    ("t[a & 3] = b", "u = 3", "*r = 2", "s = z", "z.mode = 5", "set(&u, a)", "r = t + (a & 3)", "t[0] = u",
     "memcpy(t, s.slots, sizeof t)", "for (int i = 0; i < (b & 3); i++) t[i] = i, u += i"),
    f"{RANDOM} CALL({A}, {B}); }}",
)  # fmt: skip
CHOICES = Family(
    "int *p, struct box *b, struct box *c, int a",
    "int k; struct box none = {0}, first = {a, 1, 0, {0}}; int zero[4] = {0}; struct box *d = a > 3 ? &none : &first; "
    "int *q = p ? p : zero; memset(&zero[1], 0, sizeof *zero);",
    ("(b ? b : &none)->mode", "(b ? b : c ? c : &none)->level", "(a & 1 ? &none : &first)->mode", "d->level", "d->mode",
     "q[0]", "(a & 2 ? zero : q)[0]", "zero[1]", "none.mode", "none.slots[a & 3]", "(b == 0)", "(p == 0)", "(c == b)", "k"),
    ("*q = a", "if (b) b->mode = a", "d->mode = 2", "(b ? b : &none)->level = a & 3", "none.mode = 1", "d = c ? c : &none",
     "q = &d->mode", "memset(d, 0, sizeof *d)", "memset(&none, a & 1, sizeof none)", "set(q, 3)", "if (c) *c = none",
     "memset(&(b ? b : &first)->mode, 0, 4)", "q = a & 4 ? zero + 1 : &first.level", "b = c"),
    f"struct box x = {{0}}, y = {{0}}; {RANDOM} x.mode = {B}; x.level = {A}; y.mode = r >> 9 & 3; y.level = r >> 11 & 3; "
    "int *places[] = {&x.mode, &x.level, &y.mode, 0}; struct box *boxes[] = {&x, &y, 0, &x}; "
    f"CALL(places[r >> 13 & 3], boxes[r >> 15 & 3], boxes[r >> 5 & 3], {A}); }}",
)  # fmt: skip
LOOPS = Family(
    "const char *s, int a, struct item *l",
    "int k, n = 0, m = 0; if (!s) return -1; while (s[n]) { m += s[n] == 'a'; n++; } "
    "for (struct item *i = l; i; i = i->next) { m = i->kind == a ? a : m; i->value = n; }",
    ("n", "m", "a", "(a & 7)", "s[0]", "(l ? l->kind : 0)", "(l ? l->value : n)", "(l == 0)", "k"),
    ("k = m", "if (l) l->value = a", "for (int i = 0; i < 3; i++) k += s[0]", "n = a & 7", "do m++; while (m < a && m < 9)",
     "while (l && l->kind == 3) l = l->next"),
    f"char s[32]; struct item c[12]; {RANDOM} int length = r >> 8 & 15, items = r >> 12 & 15; "
    "for (int i = 0; i < length; i++) s[i] = r >> i & 1 ? 'a' : 'b'; s[length] = 0; items = items > 12 ? 12 : items; "
    "for (int i = 0; i < items; i++) c[i].kind = r >> i & 3, c[i].value = i, c[i].next = i + 1 < items ? c + i + 1 : 0; "
    f"CALL(s, {A}, items ? c : 0); }}",
)  # fmt: skip
FAMILIES = (STATE, DEVICE, STUBBED, POINTERS, LOCALS, LOOPS, CHOICES)
HEAD = """#include <string.h>
struct item { int kind, value; struct item *next; };
struct box { int mode, level; struct item *item; int slots[4]; };
int level;
static int mode;
static const int limits[4] = {1, 2, 3, 4};
#ifdef IS_CALLED
static unsigned readings = 7;
static int read_device(void) { readings = readings * 1664525u + 1013904223u; return (int)(readings >> 16 & 15) - 4; }
#define device read_device()
static int *watched;
void note(int n) { level = read_device(); *watched = n & 7; }
int sensor(void) { if (read_device() > 5) level = 3; return read_device(); }
void fetch(int *to) { *to = read_device(); }
#else
volatile int device;
void note(int n);
int sensor(void);
void fetch(int *to);
#endif
static int clamp(int x) { return x < 0 ? 0 : x > 3 ? 3 : x; }
static void set(int *to, int x) { *to = x; }
"""
SEEDS = range(*map(int, os.environ.get("TIGHTROPE_SEEDS", "0:1").split(":")))


@pytest.mark.parametrize("seed", SEEDS)
def test_what_becomes_reachable_by_a_doubted_thing_is_not_infeasible(seed, tmp_path):
    writers = [Writer(family, 100 * seed + number, repeats=0.4) for number, family in enumerate(FAMILIES)]
    assert not wrong_verdicts(HEAD, writers, tmp_path)
