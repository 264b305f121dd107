"""Memory: symbolic indices at every element size, copies, structs, unions, pointers kept in memory, the heap."""

from __future__ import annotations

from pathlib import Path

import pytest
from c_kinds import KINDS
from differential import assert_agrees
from directed import examine_text

INDEXED = """
unsigned long target(unsigned i, unsigned j, TYPE x, TYPE y)
{
    unsigned long result = 1;
    TYPE a[COUNT] = { (TYPE)3, y };
    for (int k = 2; k < COUNT; k++) a[k] = (TYPE)k;
    a[i % COUNT] = x;
    KEEP(a[0]); KEEP(a[COUNT - 1]);
    a[j % COUNT] = (TYPE)(y + 1);
    KEEP(a[i % COUNT]); KEEP(a[j % COUNT]); KEEP(a[(i + j) % COUNT]);
    if (a[i % COUNT] > a[j % COUNT]) result++;
    return result;
}
"""


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.identifier)
@pytest.mark.parametrize("count", [5, 8])
def test_an_index_at_every_element_size(kind: object, count: int, tmp_path: Path) -> None:
    text = INDEXED.replace("TYPE", kind.name).replace("COUNT", str(count))  # type: ignore[attr-defined]
    assert_agrees(examine_text(text, tmp_path, count=30, flips=12))


STRIDES = """
struct cell { MEMBERS } PACKED;
unsigned long target(unsigned i, unsigned j, long x, float f)
{
    unsigned long result = 1;
    struct cell a[5];
    for (int k = 0; k < 5; k++) { a[k].x = (signed char)(x + k); a[k].y = f + k; a[k].z = x * k; }
    a[i % 5].x = j;
    a[j % 5].y = f * 2;
    a[(i + 1) % 5].z = 1000 + i;
    KEEP(a[j % 5].x); KEEP(a[i % 5].z); KEEP(a[2].x); KEEP(a[4].z);
    if (a[i % 5].y == a[i % 5].y) KEEP(a[i % 5].y);
    return result;
}
"""


@pytest.mark.parametrize("packed", ["", "__attribute__((packed))"])
@pytest.mark.parametrize("members", [
    "signed char x; float y; long z;", "float y; signed char x; int z;", "short z; float y; signed char x, pad[2];",
    "unsigned char pad; double y; short z; signed char x;",
])  # fmt: skip
def test_members_of_an_indexed_struct(members: str, packed: str, tmp_path: Path) -> None:
    text = STRIDES.replace("MEMBERS", members).replace("PACKED", packed)
    assert_agrees(examine_text(text, tmp_path, count=30, flips=20))


MATRIX = """
static int grid[4][3];
unsigned long target(unsigned i, unsigned j, int x, long p)
{
    unsigned long result = 1;
    int local[3][2][2] = { { { x } } };
    for (int k = 0; k < 12; k++) grid[k / 3][k % 3] = k;
    grid[i % 4][j % 3] = x;
    grid[j % 4][0] += 7;
    KEEP(grid[i % 4][j % 3]); KEEP(grid[3][2]); KEEP(grid[p & 3][1]);
    local[i % 3][j % 2][x & 1] = 5;
    KEEP(local[2][1][1]); KEEP(local[j % 3][i % 2][p & 1]);
    int (*row)[3] = grid + (i % 4);
    KEEP((*row)[j % 3]); KEEP(row[0][2]);
    int *flat = &grid[0][0] + (p & 7);
    KEEP(*flat); KEEP(flat[3]);
    if (grid[i % 4][j % 3] == 12345) result++;
    return result;
}
"""
NEGATIVE = """
static int left[4], a[4], right[4];
unsigned long target(unsigned i, int x)
{
    unsigned long result = 1;
    for (int k = 0; k < 4; k++) { left[k] = k; a[k] = 10 + k; right[k] = 20 + k; }
    int *p = a + 1 + (i & 1);
    KEEP(p[-1]);
    p[-1] = x;
    KEEP(a[0]); KEEP(a[1]); KEEP(*--p);
    int *end = a + 4;
    KEEP(end[-1 - (int)(i & 3)]); KEEP(*(end - 4 + (i & 3)));
    end[-(int)(i & 1) - 1] = x + 1;
    KEEP(a[2]); KEEP(a[3]); KEEP(left[3]); KEEP(right[0]);
    if (p[1] == 77) result++;
    return result;
}
"""
POINTERS = """
static int a, b, c[3];
static const char *const names[] = { "zero", "one", "two", "three" };
unsigned long target(unsigned i, int x, unsigned j)
{
    unsigned long result = 1;
    a = 1; b = 2; c[0] = 3; c[1] = 4; c[2] = 5;
    int *table[4] = { &a, &b, &c[0], &c[2] };
    *table[i & 3] = x;
    KEEP(a); KEEP(b); KEEP(c[0]); KEEP(c[2]);
    int *p = (x & 1) ? &a : &b;
    *p += 5;
    KEEP(a); KEEP(b); KEEP(*p);
    int *q = x > 100 ? c + (j % 3) : &a;
    *q ^= 3;
    KEEP(*q); KEEP(c[1]);
    if (names[i & 3][j % 3] == 'o') result += 1;
    KEEP(names[j & 3][1]);
    int **pp = &table[j & 3];
    KEEP(**pp);
    KEEP(table[i & 3] == table[j & 3]);
    return result;
}
"""
COMPARED = """
unsigned long target(unsigned i, unsigned j, unsigned char x)
{
    unsigned long result = 1;
    short a[8] = { x, 1, 2 };
    short *p = a + (i & 7), *q = a + (j & 7);
    KEEP(p - q); KEEP(p < q); KEEP(p == q); KEEP(p >= a + 3);
    if (p > q) { short *t = p; p = q; q = t; }
    for (; p < q; p++) result += *p;
    struct { short *p; short **pp; } s = { q, &p };
    KEEP(*s.p); KEEP(s.p - a);
    (*s.pp)--;
    if (p >= a) KEEP(p - a);
    return result;
}
"""
COPIES = """
#include <string.h>
struct record { int a; float f; char text[5]; short s[3]; };
unsigned long target(int x, float f, unsigned i, unsigned char c)
{
    unsigned long result = 1;
    char buffer[16] = "abcdefghijklmno";
    buffer[i & 15] = c;
    memmove(buffer + 2, buffer, 8);
    KEEP(buffer[2]); KEEP(buffer[9]);
    memmove(buffer, buffer + 3, 8);
    KEEP(buffer[0]); KEEP(buffer[7]);
    memset(buffer + 4, c, 5);
    KEEP(buffer[4]); KEEP(buffer[8]); KEEP(*(int *)(buffer + 5)); KEEP(*(short *)(buffer + 8));
    memcpy(buffer, &x, sizeof x);
    KEEP(buffer[1]); KEEP(*(short *)(buffer + 1)); KEEP(*(long *)(buffer + 1));
    struct record r = { x, f, { c }, { 1, 2 } }, s, t[3] = { { 0 } };
    s = r;
    s.s[i % 3] = x;
    t[1] = s;
    t[i % 3].a = 9;
    r = t[(i + 1) % 3];
    KEEP(s.a); KEEP(s.s[2]); KEEP(t[1].a); KEEP(r.a); KEEP(r.text[0]);
    if (f == f) { KEEP(s.f); KEEP(t[1].f); }
    if (memcmp(&s.a, &x, 4) == 0) result++;
    memcpy(buffer, buffer + 8, i & 7);
    KEEP(buffer[3]);
    return result;
}
"""
HEAP = """
#include <stdlib.h>
#include <string.h>
struct node { struct node *next; int value; };
unsigned long target(unsigned n, int x, unsigned i)
{
    unsigned long result = 1;
    int *p = malloc(4 * sizeof *p), *q = calloc(3, sizeof *q);
    if (!p || !q) return 0;
    for (int k = 0; k < 4; k++) p[k] = k;
    p[i & 3] = x;
    KEEP(p[2]);
    p = realloc(p, 8 * sizeof *p);
    KEEP(p[i & 3]); KEEP(p[3]); KEEP(q[i % 3]);
    struct node *head = 0;
    for (unsigned k = 0; k < n % 4; k++) {
        struct node *one = malloc(sizeof *one);
        one->next = head; one->value = x + k; head = one;
    }
    for (struct node *one = head; one; one = one->next) KEEP(one->value);
    while (head) { struct node *next = head->next; free(head); head = next; }
    char *s = malloc((n & 7) + 1);
    memset(s, x, (n & 7) + 1);
    KEEP(s[n & 7]);
    free(p); free(q); free(s); free(0);
    return result;
}
"""
VARIABLE = """
unsigned long target(unsigned n, int x, unsigned i)
{
    unsigned long result = 1;
    unsigned size = n % 5 + 1;
    int a[size];
    for (unsigned k = 0; k < size; k++) a[k] = x * k;
    a[i % size] += 3;
    KEEP(a[0]); KEEP(a[size - 1]);
    for (unsigned round = 0; round < 3; round++) {
        short b[round + size];
        b[round] = x; b[i % size] = round;
        KEEP(b[round]);
        char *c = __builtin_alloca(8);
        c[0] = x + round; c[7] = 1;
        result += c[0];
    }
    KEEP(a[i % size]);
    return result;
}
"""
VECTORS = """
typedef int four __attribute__((vector_size(16)));
typedef float pair __attribute__((vector_size(8)));
unsigned long target(int x, int y, float f)
{
    unsigned long result = 1;
    four a = { x, y, 3, 4 }, b = { 1, x, y, x };
    four c = a + b * a;
    KEEP(c[0]); KEEP(c[1]); KEEP(c[2]); KEEP((a > b)[1]);
    a[2] = y;
    KEEP(a[2] + a[3]); KEEP(a[x & 3]);
    pair p = { f, 2 };
    p = p + p;
    if (f == f) KEEP(p[0]);
    return result;
}
"""


@pytest.mark.parametrize("text", [MATRIX, NEGATIVE, POINTERS, COMPARED, COPIES, HEAP, VARIABLE, VECTORS],
                         ids="matrix negative pointers compared copies heap variable vectors".split())  # fmt: skip
def test_memory(text: str, tmp_path: Path) -> None:
    tally = examine_text(text, tmp_path, count=50, flips=60)
    assert_agrees(tally)


GUARDED = """
static int left[8], a[4], right[8];
int target(INDEX i, int x)
{
    left[0] = right[0] = 1;
    for (int k = 0; k < 4; k++) a[k] = 5 + k;
    a[i] = x;
    if (a[2] == 77) return 1;
    return a[i] == 5;
}
"""


@pytest.mark.parametrize("index", ["int", "unsigned", "long", "signed char", "unsigned short"])
def test_an_index_out_of_bounds_ends_the_run(index: str, tmp_path: Path) -> None:
    tally = examine_text(GUARDED.replace("INDEX", index), tmp_path, count=0, extra=[(2, 5)], flips=30)
    assert len(tally.problems) == 1 and "out of bounds" in tally.problems[0]
    assert tally.exhausted
