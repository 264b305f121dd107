"""Calls: structs by value in registers and memory, recursion, callbacks, function pointers, variadic functions."""

from __future__ import annotations

from pathlib import Path

import pytest
from differential import assert_agrees
from directed import examine_text

STRUCTS = """
struct two { int a, b; }; struct floats { float x, y; }; struct mixed { float f; int i; }; struct odd { char c[3]; };
struct doubles { double x; long n; }; struct big { long a[5]; float f; }; struct nested { struct two t; struct odd o; };
union either { float f; int i; };

static struct two two(struct two t, int n) { t.a += n; if (t.b > n) t.b = t.a; return t; }
static struct floats floats(struct floats f, float g) { f.x += g; f.y = f.x < g ? g : f.y; return f; }
static struct mixed mixed(struct mixed m) { m.i += 2; if (m.i > 5) m.f = 1; return m; }
static struct odd odd(struct odd o, char c) { o.c[1] = c; o.c[2] += o.c[0]; return o; }
static struct doubles doubles(struct doubles d) { d.n *= 3; d.x -= d.n; return d; }
static struct big big(struct big b, int i) { b.a[i & 3] = i; b.a[4] += b.a[0]; b.f *= 2; return b; }
static struct nested nested(struct nested n, struct two t) { n.t = two(t, n.o.c[0]); return n; }
static union either either(union either e) { e.i ^= 1; return e; }

unsigned long target(int a, int b, float f, double d, unsigned char c)
{
    unsigned long result = 1;
    struct two t = two((struct two) { a, b }, 4);
    KEEP(t.a); KEEP(t.b);
    struct mixed m = mixed((struct mixed) { f, a });
    KEEP(m.i);
    struct odd o = odd((struct odd) { { c, 1, a } }, b);
    KEEP(o.c[0]); KEEP(o.c[1]); KEEP(o.c[2]);
    struct big g = { { a, b, c, 4, 5 }, 2 }, h = big(g, a);
    KEEP(g.a[4]); KEEP(h.a[4]); KEEP(h.a[a & 3]); KEEP(h.f);
    struct nested n = nested((struct nested) { t, o }, (struct two) { b, a });
    KEEP(n.t.a); KEEP(n.t.b); KEEP(n.o.c[2]);
    union either e = either((union either) { .i = a });
    KEEP(e.i);
    struct doubles e2 = doubles((struct doubles) { d, a });
    KEEP(e2.n); KEEP(e2.x);
    struct floats p = floats((struct floats) { f, 2 }, a);
    KEEP(p.x); KEEP(p.y);
    if (t.a == 100 && h.a[4] == 7) result++;
    return result;
}
"""
RECURSION = """
static int depth(int n, long x) { return n <= 0 ? (int)x : depth(n - 1, x * 2 + n) + 1; }
static int odd(unsigned n);
static int even(unsigned n) { return n == 0 ? 1 : odd(n - 1); }
static int odd(unsigned n) { return n == 0 ? 0 : even(n - 1); }
static int ackermann(int m, int n) { return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1)); }
unsigned long target(int a, long b, unsigned n)
{
    unsigned long result = 1;
    KEEP(depth(a & 7, b)); KEEP(even(n & 15)); KEEP(ackermann(a & 1, n & 3));
    return result;
}
"""
CALLBACKS = """
#include <stdlib.h>
#include <string.h>
static int ascending(const void *a, const void *b) { int x = *(const int *)a, y = *(const int *)b; return x < y ? -1 : x > y; }
static int by_key(const void *key, const void *item) { return *(const int *)key - *(const int *)item; }
static int twice(int x) { return x * 2; }
static int minus(int x) { return -x; }
static int apply(int (*f)(int), int x) { return f(x); }
unsigned long target(signed char a, signed char b, signed char c, unsigned i)
{
    unsigned long result = 1;
    int v[3] = { a, b, c };
    qsort(v, 3, sizeof *v, ascending);
    KEEP(v[0]); KEEP(v[1]); KEEP(v[2]);
    int key = b, *found = bsearch(&key, v, 3, sizeof *v, by_key);
    if (found) KEEP((int)(found - v));
    int (*f)(int) = (i & 1) ? twice : minus;
    int (*table[3])(int) = { twice, minus, f };
    KEEP(apply(f, a)); KEEP(table[i % 3](b)); KEEP(apply(table[(i >> 2) % 3], c));
    return result;
}
"""
VARIADIC = """
#include <stdarg.h>
static int remember(int n) { int a[20]; for (int i = 0; i < 20; i++) a[i] = n + i; return a[n & 15]; }
static long sum(int count, ...)
{
    va_list list, copy;
    long total = 0;
    va_start(list, count);
    va_copy(copy, list);
    for (int i = 0; i < count; i++) total = total * 3 + va_arg(list, int);
    total += va_arg(copy, int);
    va_end(copy); va_end(list);
    if (total == 12) return 5;
    return total;
}
static double reals(int count, ...)
{
    va_list list;
    double total = 0;
    va_start(list, count);
    while (count--) total += va_arg(list, double);
    va_end(list);
    return total;
}
unsigned long target(int a, int b, short c, float f)
{
    unsigned long result = 1;
    KEEP(remember(a)); KEEP(sum(2, a, b)); KEEP(remember(b)); KEEP(sum(5, a, b, c, 1, 2)); KEEP(sum(1, c));
    KEEP(reals(3, f, (double)a, 3.0));
    if (sum(3, c, 1, b) > 1000) result++;
    return result;
}
"""
MANY = """
static long many(char a, short b, int c, long d, float e, double f, char g, short h, int i, long j, float k, double l,
                 float m, float n, float o, float p, float q, float r, float s)
{
    return a + b * 2 + c * 3 + d * 4 + (long)(e > f) + g * 5 + h * 6 + i * 7 + j * 8 + (k < l) + (m > n) + (o < p) + (q > r) * 2 + (s > 3) * 4;
}
static int old_style(a, b) int a; char b; { return a - b; }
unsigned long target(int a, long b, float f, double d)
{
    unsigned long result = 1;
    KEEP(many(a, a, a, b, f, d, b, b, b, a, d, f, f, d, f, d, f, d, f));
    KEEP(old_style(a, b));
    return result;
}
"""
STATE = """
static int total;
static int tick(int by) { static int count; count = by + 1; total ^= count; return count; }
static void store(int *p, int v) { *p = v; }
static int *choose(int *a, int *b, int c) { return c > 3 ? a : b; }
unsigned long target(int a, int b)
{
    unsigned long result = 1;
    total = a;
    KEEP(tick(b)); KEEP(tick(2)); KEEP(total);
    int x = 1, y = 2;
    store(choose(&x, &y, a), b);
    KEEP(x); KEEP(y);
    *choose(&x, &y, b) += a;
    KEEP(x + 2 * y);
    return result;
}
"""
JUMPS = """
static int dispatch(unsigned i, int x)
{
    static const void *const labels[] = { &&first, &&second, &&third };
    goto *labels[i % 3];
first: return x + 1;
second: x *= 2;
third: return x - 1;
}
unsigned long target(unsigned i, int x)
{
    unsigned long result = 1;
    KEEP(dispatch(i, x));
    int total = ({ int t = x; if (t > 5) t = 5; t; });
    KEEP(total);
    return result;
}
"""


@pytest.mark.parametrize("text", [STRUCTS, RECURSION, CALLBACKS, VARIADIC, MANY, STATE, JUMPS],
                         ids="structs recursion callbacks variadic many state jumps".split())  # fmt: skip
def test_calls(text: str, tmp_path: Path) -> None:
    assert_agrees(examine_text(text, tmp_path, count=50, flips=50))


INDEXED_ARGUMENT = """
struct big { long a[5]; };
struct two { long a; int b; };
static int take(struct big b) { return b.a[0] == 7 ? 1 : b.a[4] == 9 ? 2 : 3; }
static int take_two(struct two t) { return t.a == 7 ? 4 : t.b == 9 ? 8 : 12; }
static struct big make(int n) { struct big b = { { n, n + 1 } }; return b; }
int target(unsigned char i, unsigned char n)
{
    struct big arr[4] = { { { 1 } }, { { 7 } }, { { 2, 2, 2, 2, 9 } } };
    struct two small[4] = { { 1, 2 }, { 7, 3 }, { 2, 9 } };
    int result = take(arr[i & 3]) + take_two(small[i & 3]);
    arr[i & 3] = make(n & 7);
    return result + (arr[1].a[0] == 5 ? 16 : arr[2].a[1] == 3 ? 32 : 0);
}
"""


def test_a_struct_at_a_symbolic_index_is_given_by_value(tmp_path: Path) -> None:
    tally = examine_text(INDEXED_ARGUMENT, tmp_path, count=100, flips=300)
    assert_agrees(tally)
    assert tally.exhausted


VARIADIC_ON_THE_STACK = """
#include <stdarg.h>
struct pair { long a; double d; };
static double mixed(const char *kinds, ...)
{
    va_list list;
    double total = 0;
    va_start(list, kinds);
    for (; *kinds; kinds++)
        if (*kinds == 'd') total += va_arg(list, double);
        else if (*kinds == 'l') total += va_arg(list, long);
        else { struct pair p = va_arg(list, struct pair); total += p.a + p.d; }
    va_end(list);
    return total;
}
unsigned long target(int a, int b, short c, float f)
{
    unsigned long result = 1;
    struct pair p = { a, 2 };
    KEEP(mixed("dlspdllllll", f, (long)a, p, p, 3.0, (long)b, (long)c, 3l, 4l, (long)a, (long)b));
    if (mixed("llllllll", 1l, 2l, 3l, 4l, 5l, 6l, (long)a, (long)b) > 1000) result++;
    return result;
}
"""


def test_variadic_arguments_on_the_stack(tmp_path: Path) -> None:
    """Structs among them lie in the caller's frame, where nobody registers them: approximate, but right."""
    assert_agrees(examine_text(VARIADIC_ON_THE_STACK, tmp_path, count=50, flips=12), is_exact=False)


SCALARS_ON_THE_STACK = """
#include <stdarg.h>
static double inner(const char *kinds, va_list list)
{
    double total = 0;
    for (; *kinds; kinds++)
        if (*kinds == 'd') total += va_arg(list, double);
        else if (*kinds == 'i') total += va_arg(list, int);
        else if (*kinds == 'p') total += *va_arg(list, int *);
        else total += va_arg(list, long);
    return total;
}
static double mixed(int first, const char *kinds, ...)
{
    va_list list, again;
    va_start(list, kinds);
    va_copy(again, list);
    double total = first + inner(kinds, list) * 2 + inner(kinds, again);
    va_end(again);
    va_end(list);
    return total;
}
unsigned long target(int a, int b, short c, unsigned char f)
{
    unsigned long result = 1;
    double d = f;
    KEEP(mixed(1, "")); KEEP(mixed(a, "i", b)); KEEP(mixed(a, "did", d, b, 2.5));
    KEEP(mixed(1, "iiiiiiiildp", 1, 2, 3, a, 5, b, 7, c, (long)b, d, &a));
    KEEP(mixed(1, "dddddddddddi", d, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, d, 11.0, a));
    if (mixed(b, "llllllll", 1l, 2l, 3l, 4l, 5l, 6l, (long)a, (long)b) == 3063) result++;
    return result;
}
"""


def test_variadic_arguments_keep_their_expressions(tmp_path: Path) -> None:
    assert_agrees(examine_text(SCALARS_ON_THE_STACK, tmp_path, count=50, flips=12))
