"""Operations without a model: either the value is pinned, or the run is reported as approximate.

The inputs are few, so that a search either walks all paths, and must then have been wherever random inputs go, or
says that it is not complete.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from differential import assert_agrees
from directed import examine_text

LONG_DOUBLE = """
int target(unsigned char i, unsigned char a)
{
    int result = 1;
    i &= 7; a &= 3;
    long double table[4] = { 1, a, 3, 4 }, x = (long double)a * i;
    if (x > 7) result += 1;
    if (table[i & 3] == 4) result += 2;
    table[i >> 1] = a;
    if (table[1] == 0) result += 4;
    return result + (table[i & 3] == a ? 8 : 0);
}
"""
WIDE = """
int target(unsigned char a, unsigned char b, unsigned char i)
{
    int result = 1;
    a &= 1; b &= 1; i &= 3;
    unsigned __int128 table[3] = { a, b, 5 }, product = ((unsigned __int128)a << 70) * b;
    if ((unsigned long)(product >> 64) > 3) result += 1;
    if (table[i % 3] == 5) result += 2;
    table[i & 1] = i;
    if (table[1] == 1) result += 4;
    return result + (table[i % 3] == 3 ? 8 : 0);
}
"""
ATOMICS = """
#include <stdatomic.h>
int target(unsigned char a, unsigned char b)
{
    int result = 1;
    a &= 7; b &= 3;
    _Atomic int x = a;
    int expected = b;
    if (atomic_fetch_add(&x, b) > 5) result += 1;
    if (atomic_compare_exchange_strong(&x, &expected, 7)) result += 2;
    if (atomic_exchange(&x, a) == 7) result += 4;
    return result + (x > 3 ? 8 : 0);
}
"""
LANES = """
typedef int four __attribute__((vector_size(16)));
typedef short eight __attribute__((vector_size(16)));
int target(unsigned char a, unsigned char b, unsigned char i)
{
    int result = 1;
    a &= 3; b &= 3; i &= 1;
    four table[2] = { { a, b, 3, 4 }, { b, a, 1, 2 } }, v = table[i] * table[0];
    eight halves = (eight)v;
    if (v[1] == 9) result += 1;
    if (halves[2] > 3) result += 2;
    four mask = v > table[1];
    if (mask[0]) result += 4;
    return result + (halves[i + 1] == 2 ? 8 : 0);
}
"""
BITS_OF_FLOATS = """
#include <string.h>
int target(unsigned char a, unsigned char b)
{
    a &= 7; b &= 3;
    unsigned bits; float sum = a + 0.5f; double d = b - 1.5;
    memcpy(&bits, &sum, 4);
    if (bits & 0x100000) return 1;
    return __builtin_signbit(d * 2) ? 2 : 3;
}
"""
INTRINSICS = """
int target(unsigned char a, unsigned char b)
{
    a &= 15; b &= 1;
    if (__builtin_rotateleft8(a, b) == 16) return 1;
    if (__builtin_bitreverse8(a) == 0x90) return 2;
    if (__builtin_elementwise_add_sat((signed char)(a * 9), (signed char)(b * 9)) == 127) return 3;
    if (__builtin_constant_p(a)) return 4;
    return __builtin_copysign(a, b - 0.5) < -3 ? 5 : 6;
}
"""


@pytest.mark.parametrize("text", [LONG_DOUBLE, WIDE, ATOMICS, LANES, BITS_OF_FLOATS, INTRINSICS],
                         ids="long_double wide atomics lanes bits_of_floats intrinsics".split())  # fmt: skip
def test_a_value_without_model_is_pinned(text: str, tmp_path: Path) -> None:
    tally = examine_text(text, tmp_path, count=200, flips=1000, is_clang_only=text == INTRINSICS)
    assert_agrees(tally)
    assert tally.exhausted, str(tally)


ASSEMBLY = """
int target(unsigned char a, unsigned char b)
{
    int sum = a & 7;
    __asm__("addl %1, %0" : "+r"(sum) : "r"(b & 3) : "cc");
    return sum > 5 ? 1 : sum == 3 ? 2 : 0;
}
"""
BY_POINTER = """
#include <string.h>
int target(unsigned char a, unsigned char b)
{
    void *(*copy)(void *, const void *, size_t) = memcpy;
    size_t (*volatile length)(const char *) = strlen;
    char text[4] = { a & 1, b & 1, 'x', 0 };
    int x = 1;
    unsigned char y = 0;
    copy(&y, &a, sizeof y);
    if (y == 5) x += 1;
    return x + (length(text) == 1 ? 2 : length(text) == 3 ? 4 : 0);
}
"""
HEAP_BY_POINTER = """
#include <stdlib.h>
struct hooks { void *(*take)(size_t); void (*give)(void *); };
static const struct hooks hooks = { malloc, free };
int target(unsigned char a, unsigned char b)
{
    unsigned char *p = hooks.take(1), *q = malloc(1);
    *p = a; *q = b;
    int result = *p > 250 ? 1 : *q == 7 ? 2 : 0;
    free(p);
    hooks.give(q);
    return result;
}
"""
OUTSIDE_BY_POINTER = """
#include <search.h>
#include <stdlib.h>
static int same(const void *a, const void *b) { return *(const char *)a - *(const char *)b; }
int target(unsigned char a, unsigned char b)
{
    void *(*volatile find)(const void *, const void *, size_t *, size_t, int (*)(const void *, const void *)) = lfind;
    char table[3] = { 1, b & 3, 3 }, key = a & 3;
    size_t count = 3;
    int (*volatile absolute)(int) = abs;
    if (find(&key, table, &count, 1, same)) return 1;
    return absolute((a & 7) - 4) == 3 ? 2 : 3;
}
"""
WRITTEN_OUTSIDE = """
#include <stdio.h>
int target(unsigned char a, unsigned char b)
{
    char text[16] = { b, b, b };
    int read = a;
    const char *volatile form = "%d";
    snprintf(text, sizeof text, "%1$d", a & 7); /* numbered arguments have no model, nor has a form that is not known */
    sscanf(text, form, &read);
    return text[0] == '5' ? 1 : read == 4 ? 2 : 0;
}
"""
OTHER_TYPE = """
static int plain(int a, long b) { return a > b ? 1 : 2; }
static double real(double d) { return d * 2; }
int target(unsigned char a, unsigned char b)
{
    int (*volatile f)(long, int) = (int (*)(long, int))plain;
    double (*volatile g)(double, int) = (double (*)(double, int))real;
    return f(a, b) + (g(a, b) > 5 ? 2 : 0);
}
"""
MATH_ERROR = """
#include <errno.h>
#include <math.h>
int target(unsigned char a, unsigned char b)
{
    errno = 0;
    double root = sqrt((a & 7) - 4.0);
    if (errno) return errno == EDOM ? 1 : 5;
    double power = pow(b & 7, 400.0);
    return errno == ERANGE ? 2 : root + power > 3 ? 3 : 4;
}
"""
ASSEMBLY_JUMP = """
int target(unsigned char a)
{
    int x = a & 7;
    __asm__ volatile goto ("cmpl $5, %0; je %l1" : : "r"(x) : "cc" : five);
    return 1;
five: return 2;
}
"""
ASSEMBLY_STORE = """
int target(unsigned char a)
{
    int x = a & 7, y = 3;
    __asm__ volatile ("movl %1, %0" : "=m"(y) : "r"(x));
    return y == 5 ? 1 : 2;
}
"""
OUTSIDE_ERROR = """
#include <errno.h>
#include <stdlib.h>
int target(unsigned char a)
{
    errno = 0;
    double d = strtod(a & 1 ? "1e999" : "2.5", 0);
    return errno == ERANGE ? 1 : d > 2 ? 2 : 3;
}
"""
COMPLEX = """
#include <complex.h>
int target(unsigned char a, unsigned char b)
{
    double complex z = (a & 3) + (b & 3) * I, w = z * z;
    if (creal(w) > 5) return 1;
    w = w / (z + 1);
    return cimag(w) == 1 ? 2 : creal(w) < 0.5 ? 3 : 4;
}
"""
WIDE_DIVISION = """
int target(unsigned char a, unsigned char b)
{
    b &= 15;
    unsigned __int128 x = ((unsigned __int128)(a & 3) << 80) + b, y = x / ((b & 3) + 1);
    __int128 z = -(__int128)x % 7;
    return (unsigned long)(y >> 70) == 1024 ? 1 : z == -3 ? 2 : 3;
}
"""
DUPLICATE = """
#include <stdlib.h>
#include <string.h>
int target(unsigned char a, unsigned char b)
{
    char text[3] = { a & 1, b & 3, 0 }, *copy = strdup(text);
    if (!copy) return 4;
    int result = copy[0] == 0 ? 1 : copy[1] == 2 ? 2 : 3;
    free(copy);
    return result;
}
"""
NATIVE_HEAP = """
#include <stdlib.h>
int target(unsigned char a, unsigned char b)
{
    unsigned char *p = aligned_alloc(64, 64);
    *p = a;
    int result = *p > 250 ? 1 : b == 7 ? 2 : 0;
    free(p);
    return result;
}
"""
WEAK = """
static int real(int a) { return a > 3 ? 1 : 2; }
int other(int) __attribute__((alias("real")));
__attribute__((weak)) int perhaps(int a) { return a == 5 ? 1 : 2; }
static __thread int each;
int target(unsigned char a, unsigned char b)
{
    each = 4;
    each += a & 1;
    return other(a & 7) + 4 * perhaps(b & 7) + (each == 5 ? 100 : 0);
}
"""
SILENT = {
    name.lower(): text
    for name, text in globals().copy().items()
    if name in ("ASSEMBLY ASSEMBLY_JUMP ASSEMBLY_STORE BY_POINTER HEAP_BY_POINTER OUTSIDE_BY_POINTER"
                " WRITTEN_OUTSIDE OTHER_TYPE MATH_ERROR"
                " OUTSIDE_ERROR COMPLEX WIDE_DIVISION DUPLICATE NATIVE_HEAP WEAK").split()
}  # fmt: skip
EXACT = ("by_pointer", "heap_by_pointer", "math_error", "complex", "wide_division", "duplicate")


@pytest.mark.parametrize("name", SILENT)
def test_what_the_probes_do_not_see_is_never_silent(name: str, tmp_path: Path) -> None:
    tally = examine_text(SILENT[name], tmp_path, count=100, flips=600)
    assert_agrees(tally, is_exact=name in EXACT)
    assert tally.exhausted or tally.approximate, str(tally)
