"""Float arithmetic, comparisons, conversions at the borders of ranges, and the functions of <math.h> that are exact."""

from __future__ import annotations

from pathlib import Path

import pytest
from c_kinds import INTEGERS
from differential import assert_agrees
from directed import examine_text

FLOATS = ("float", "double")

ARITHMETIC = """
unsigned long target(TYPE x, TYPE y)
{
    unsigned long result = 1;
    KEEP(x + y); KEEP(x - y); KEEP(x * y); KEEP(x / y); KEEP(-x); KEEP(x + (TYPE)1.5); KEEP((TYPE)3 / x);
    KEEP((float)x); KEEP((double)x * 3.0); KEEP((float)((double)x + y)); KEEP(x * x + y);
    KEEP(!x); KEEP((_Bool)y); KEEP(x ? y : x); KEEP(x < y ? x : y);
    return result;
}
"""
COMPARISONS = """
unsigned long target(TYPE x, TYPE y)
{
    unsigned long result = 1;
    if (x == y) result += 1;
    if (x != y) result += 2;
    if (x < y) result += 4;
    if (x <= y) result += 8;
    if (x > y) result += 16;
    if (x >= y) result += 32;
    if (!(x < y)) result += 64;
    if (!(x >= y)) result += 128;
    if (__builtin_isunordered(x, y)) result += 256;
    if (__builtin_islessgreater(x, y)) result += 512;
    if (__builtin_isgreater(x, y)) result += 1024;
    if (!__builtin_islessequal(x, y)) result += 2048;
    if (x == (TYPE)0.1) result += 4096;
    if (x > 0 && x < (TYPE)1e-40) result += 8192;
    return result;
}
"""
CLASSES = """
#include <math.h>
unsigned long target(TYPE x)
{
    unsigned long result = 1;
    KEEP(!!isnan(x)); KEEP(!!isinf(x)); KEEP(!!isfinite(x)); KEEP(!!isnormal(x)); KEEP(isinf(x) > 0);
    KEEP(fpclassify(x) == FP_SUBNORMAL); KEEP(fpclassify(x) == FP_ZERO); KEEP(!!signbit(x)); KEEP(!!isnan(x + x));
    KEEP(!!__builtin_isinf(x * 2)); KEEP(!!__builtin_isnormal(x * (TYPE)0.5)); KEEP(__builtin_isinf_sign(x));
    if (isnan(x)) result += 1;
    if (isinf(x)) result += 2;
    if (isfinite(x)) result += 4;
    if (isnormal(x)) result += 8;
    return result;
}
"""
FUNCTIONS = """
#include <math.h>
unsigned long target(TYPE x, TYPE y, TYPE z)
{
    unsigned long result = 1;
    KEEP(__builtin_fabsS(x)); KEEP(__builtin_floorS(x)); KEEP(__builtin_ceilS(x)); KEEP(__builtin_truncS(x));
    KEEP(__builtin_roundS(x)); KEEP(__builtin_rintS(x)); KEEP(__builtin_nearbyintS(x)); KEEP(sqrtS(x));
    KEEP(__builtin_fmaS(x, y, z)); KEEP(__builtin_copysignS(x, y)); KEEP(fabsS(x)); KEEP(floorS(y)); KEEP(roundS(z));
    KEEP(fdimS(x, y));
    if (x != y) { KEEP(__builtin_fminS(x, y)); KEEP(__builtin_fmaxS(x, y)); KEEP(fminS(x, y)); KEEP(fmaxS(x, y)); }
    return result;
}
"""


@pytest.mark.parametrize("kind", FLOATS)
@pytest.mark.parametrize("text", [ARITHMETIC, CLASSES, FUNCTIONS], ids=["arithmetic", "classes", "functions"])
def test_values(text: str, kind: str, tmp_path: Path) -> None:
    text = text.replace("TYPE", kind).replace("S(", "f(" if kind == "float" else "(")
    assert_agrees(examine_text(text.replace("BITf(", "BITS("), tmp_path, count=120))


@pytest.mark.parametrize("kind", FLOATS)
def test_comparisons(kind: str, tmp_path: Path) -> None:
    tally = examine_text(COMPARISONS.replace("TYPE", kind), tmp_path, count=80, flips=60)
    assert_agrees(tally)
    assert tally.flips > 5


ZEROS = """
#include <math.h>
unsigned long target(TYPE x, TYPE y)
{
    unsigned long result = 1;
    KEEP(1 / __builtin_fminS(x, y)); KEEP(1 / __builtin_fmaxS(x, y));
    return result;
}
"""


@pytest.mark.parametrize("kind", FLOATS)
def test_the_smaller_of_two_zeros(kind: str, tmp_path: Path) -> None:
    """C leaves the sign open; ours is that of our own compiler's plain build."""
    text = ZEROS.replace("TYPE", kind).replace("S(", "f(" if kind == "float" else "(")
    sign = 1 << (31 if kind == "float" else 63)
    zeros = [(0, 0), (0, sign), (sign, 0), (sign, sign)]
    assert_agrees(examine_text(text, tmp_path, extra=zeros, is_clang_only=True))


TO_INTEGER = """
unsigned long target(FLOAT x)
{
    unsigned long result = 1;
    if (x > (FLOAT)LOWEST - 1 && x < (FLOAT)HIGHEST) {
        TYPE n = (TYPE)x;
        KEEP(n);
        if (n == 100) result++;
    }
    return result;
}
"""
FROM_INTEGER = """
unsigned long target(unsigned long a)
{
    unsigned long result = 1;
    TYPE n = (TYPE)a;
    KEEP((float)n); KEEP((double)n); KEEP((float)n + 0.5f); KEEP((double)n < 100.5);
    if ((float)n > 1e9f) result++;
    return result;
}
"""


@pytest.mark.parametrize("kind", INTEGERS[1:9], ids=lambda kind: kind.identifier)
def test_conversions(kind: object, tmp_path: Path) -> None:
    for source in FLOATS:
        bits, is_signed = kind.bits, kind.is_signed  # type: ignore[attr-defined]
        highest = 2.0 ** (bits - is_signed)
        text = TO_INTEGER.replace("FLOAT", source).replace("TYPE", kind.name)  # type: ignore[attr-defined]
        text = text.replace("LOWEST", repr(-highest if is_signed else 0.0)).replace("HIGHEST", repr(highest))
        (tmp_path / source).mkdir()
        assert_agrees(examine_text(text, tmp_path / source, count=160, flips=6))
    assert_agrees(examine_text(FROM_INTEGER.replace("TYPE", kind.name), tmp_path, flips=6))  # type: ignore[attr-defined]


OUT_OF_RANGE = """
unsigned long target(double x, float y)
{
    unsigned long result = 1;
    int i = (int)x; long l = (long)y; unsigned char c = (unsigned char)y;
    if (i == 5) result += 1;
    if (l == 6) result += 2;
    if (c == 7) result += 4;
    return result;
}
"""


def test_a_run_that_uses_a_conversion_out_of_range_ends(tmp_path: Path) -> None:
    """Undefined in C: all builds agree about the other runs."""
    tally = examine_text(OUT_OF_RANGE, tmp_path, count=80, flips=40)
    assert_agrees(tally)
    assert tally.timed_out


PUNNING = """
union pun { float f[2]; double d; unsigned u[2]; unsigned long l; unsigned char c[8]; unsigned short s[4]; };

unsigned long target(float f, double d, unsigned u, unsigned char c, int i)
{
    unsigned long result = 1;
    union pun p = { { f, f } };
    KEEP(p.u[0]); KEEP(p.c[3]); KEEP(p.s[1]);
    p.d = d;
    KEEP(p.u[1]); KEEP(p.c[7]); KEEP(p.l >> 3);
    p.u[0] = u;
    if (p.d > 1) result++;
    p.c[7] = c;
    if (p.d < 0) result++;
    p.f[1] = f * 2;
    p.c[4] = c;
    if (p.f[1] == p.f[1]) KEEP(p.f[1]);
    p.d = d + 1;
    p.c[1] ^= 1;
    if (p.d == p.d) KEEP(p.d);
    p.d = -d;
    if (p.l >> 63) result += 5;
    p.f[0] = f; p.f[1] = d == d ? (float)d : 0;
    KEEP(p.c[i & 7]);
    p.s[i & 3] = u;
    if (p.f[1] == p.f[1]) KEEP(p.f[1]);
    return result;
}
"""


def test_floats_seen_as_integers_and_back(tmp_path: Path) -> None:
    """The bits of a computed NaN are left to the machine: such a run is approximate."""
    assert_agrees(examine_text(PUNNING, tmp_path, count=100), is_exact=False)


PARTIAL = """
#include <string.h>
unsigned long target(float f, float g, int i)
{
    unsigned long result = 1;
    unsigned char bytes[16], other[16];
    float sum = f + g, product = f * g, back;
    if (sum != sum || product != product) return 0;
    memset(bytes, i, sizeof bytes);
    memcpy(bytes + 1, &sum, 4);
    memcpy(bytes + 5, &product, 4);
    memcpy(other, bytes + 3, 4);                 /* two bytes of each */
    KEEP(other[0]); KEEP(other[1]); KEEP(other[2]);
    memmove(bytes + 2, bytes + 1, 8);
    memcpy(&back, bytes + 2, 4);
    KEEP(back);
    memset(bytes + 3, 0, 1);
    memcpy(&back, bytes + 2, 4);
    if (back == back) KEEP(back);
    memcpy(&back, bytes + 6, 4);
    KEEP(back);
    KEEP(bytes[6]); KEEP(bytes[9]);
    return result;
}
"""


def test_computed_floats_taken_apart(tmp_path: Path) -> None:
    assert_agrees(examine_text(PARTIAL, tmp_path, count=100))
