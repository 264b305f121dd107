"""Runs that end early, and what must not end them or make them approximate."""

from __future__ import annotations

from pathlib import Path

import pytest
from differential import Tally, assert_agrees
from directed import examine_text

UNREACHABLE = """
int target(unsigned char a)
{
    if (a == 3) __builtin_unreachable();
    return a > 7 ? 1 : 2;
}
"""
DEEP = """
static int deep(int n) { volatile char pad[200]; pad[0] = n; return n == 0 ? 0 : deep(n - 1) + pad[0]; }
int target(unsigned char a)
{
    if (a == 3) return deep(1000000);
    return a > 7 ? 1 : 2;
}
"""
TOO_MUCH = """
#include <stdlib.h>
int target(unsigned char a)
{
    if (a == 3 && !malloc(1ul << 40)) return 3;
    return a > 7 ? 1 : 2;
}
"""


def ended(text: str, folder: Path) -> Tally:
    return examine_text(text, folder, count=0, extra=[(0,)], flips=20)


def test_the_unreachable_ends_a_run(tmp_path: Path) -> None:
    tally = ended(UNREACHABLE, tmp_path)
    assert len(tally.problems) == 1 and "reached code that the program" in tally.problems[0]
    assert tally.exhausted


def test_a_stack_overflow_proves_nothing(tmp_path: Path) -> None:
    """Frames with probes are larger: a plain build may come through."""
    tally = ended(DEEP, tmp_path)
    assert len(tally.problems) == 1 and "stack overflow" in tally.problems[0]
    assert tally.approximate and not tally.exhausted


def test_no_room_on_our_heap_proves_nothing(tmp_path: Path) -> None:
    tally = ended(TOO_MUCH, tmp_path)
    assert tally.approximate and not tally.exhausted


STREAMS = """
#include <stdio.h>
int target(unsigned char a)
{
    if (a > 3) { fprintf(stderr, "a is %d\\n", a); return 1; }
    return 2;
}
"""
CONSTRUCTOR = """
struct hooks { int (*f)(int); };
static int twice(int a) { return 2 * a; }
static struct hooks hooks;
__attribute__((constructor(200))) static void later(void) { if (!hooks.f) hooks.f = twice; }
__attribute__((constructor(150))) static void first(void) { hooks.f = 0; }
int target(unsigned char a)
{
    return a == 200 ? 1 : a > 7 ? 2 : 3;
}
"""
STRINGS = """
#include <string.h>
static const struct { const char *name; int value; } table[] = { { "one", 1 }, { "two", 2 }, { "three", 3 } };
static const char *const names[] = { "red", "green", "blue" };
int target(unsigned char a, unsigned char b, unsigned char i)
{
    char s[8] = { 't', a, b, 0 };
    for (int k = 0; k < 3; k++) if (!strcmp(table[k].name, s)) return table[k].value;
    strcpy(s, names[i % 3]);
    return strlen(s) == 5 ? 4 : strchr(s, 'u') ? 5 : 6;
}
"""
LINKED = """
struct node { struct node *next; int value; };
int target(unsigned char a, unsigned char b)
{
    struct node x[3] = { { &x[1], 1 }, { &x[2], 2 }, { 0, 3 } };
    int sum = 0, k = 0;
    x[a & 1].next = &x[b % 3];
    for (struct node *p = x; p && k < 5; p = p->next, k++) sum += p->value;
    return sum == 6 ? 1 : sum > 9 ? 2 : 3;
}
"""
AS_INTEGERS = """
#include <stdint.h>
int target(unsigned char a, unsigned char b)
{
    int arr[8] = { 1, 2, 3, b & 3, 5, 6, 7, 8 };
    uintptr_t p = (uintptr_t)arr + 4 * (a & 7);
    int *q = (int *)((p | 1) & ~(uintptr_t)3);
    long d = q - &arr[b & 7];
    return *q == 2 ? 1 : *q == 8 ? 2 : *(int *)p == 7 ? 3 : d == 3 ? 4 : 5;
}
"""
COPIED_STRUCTS = """
struct s { int a; float f; char t[7]; };
int target(unsigned char i, unsigned char x)
{
    struct s arr[5] = { { 1, 2, "x" }, { 3, 4, "y" }, { x, x, "z" } }, r = arr[i % 5];
    arr[(i + 1) % 5] = r;
    return r.a == 77 ? 1 : r.t[0] == 'y' ? 2 : arr[4].f == 4 ? 3 : 4;
}
"""


CLEANUP = """
static int total;
static void done(int *p) { total += *p; }
static int check(int x) { int n __attribute__((cleanup(done))) = x; return n > 3 ? 1 : 2; }
int target(unsigned char a)
{
    total = 0;
    int c __attribute__((cleanup(done))) = 5, r = check(a);
    return r == 1 ? total == 9 ? 7 : 8 : 9;
}
"""


def test_calls_with_cleanup_and_exceptions(tmp_path: Path) -> None:
    tally = examine_text(CLEANUP, tmp_path, count=50, flips=50, flags=("-fexceptions",))
    assert_agrees(tally)
    assert tally.exhausted


TAIL = """
static int greater(int a, int b) { return a > b ? 1 : 2; }
static int swapped(int a, int b) { __attribute__((musttail)) return greater(b, a); }
int target(unsigned char a, unsigned char b)
{
    return swapped(a, b);
}
"""


def test_tail_calls(tmp_path: Path) -> None:
    tally = examine_text(TAIL, tmp_path, count=50, flips=50, is_clang_only=True)
    assert_agrees(tally)
    assert tally.exhausted


@pytest.mark.parametrize("text", [STREAMS, CONSTRUCTOR, STRINGS, LINKED, AS_INTEGERS, COPIED_STRUCTS],
                         ids="streams constructor strings linked as_integers copied_structs".split())  # fmt: skip
def test_every_path_is_walked_exactly(text: str, tmp_path: Path) -> None:
    tally = examine_text(text, tmp_path, count=100, flips=600)
    assert_agrees(tally)
    assert tally.exhausted
