"""Integer arithmetic, comparisons, conversions and bit tricks, at every width that C has."""

from __future__ import annotations

from pathlib import Path

import pytest
from c_kinds import BOOL, INTEGERS
from differential import assert_agrees
from directed import examine_text

ALL = """
static unsigned long all(TYPE x, TYPE y)
{
    unsigned long result = 17;
    KEEP((TYPE)(x + y)); KEEP((TYPE)(x - y)); KEEP((TYPE)(x * y));
    KEEP((TYPE)(x & y)); KEEP((TYPE)(x | y)); KEEP((TYPE)(x ^ y)); KEEP((TYPE)~x); KEEP((TYPE)-x);
    KEEP((TYPE)(x + 1)); KEEP((TYPE)(1 - x)); KEEP((TYPE)(x * 3)); KEEP((TYPE)(x & 6)); KEEP((TYPE)(x ^ (TYPE)-1));
    if (y != 0 && y != (TYPE)-1) { KEEP((TYPE)(x / y)); KEEP((TYPE)(x % y)); }
    KEEP((TYPE)(x / 3)); KEEP((TYPE)(x % 3)); KEEP((TYPE)(x / 1)); KEEP((TYPE)(x % 1)); KEEP((TYPE)(x / 2));
    KEEP(x == y); KEEP(x != y); KEEP(x < y); KEEP(x <= y); KEEP(x > y); KEEP(x >= y);
    KEEP(x == 1); KEEP(x < 1); KEEP(1 < x); KEEP(x <= 2); KEEP(2 >= x); KEEP(!x); KEEP(x && y);
    KEEP((signed char)x); KEEP((unsigned char)x); KEEP((short)x); KEEP((unsigned short)x);
    KEEP((int)x); KEEP((unsigned)x); KEEP((long)x); KEEP((unsigned long)x); KEEP((_Bool)x);
    KEEP((long)x == (long)y); KEEP((long)x < (long)y); KEEP((unsigned long)x < (unsigned long)y);
    KEEP((long)x < 100); KEEP((long)x == 100); KEEP((unsigned long)x < 100ul); KEEP((long)x < -3); KEEP((long)x == -3);
    KEEP(100 < (long)x); KEEP((long)x <= 300); KEEP((unsigned long)x > 0xFFFFFFFFFFFFFFF0ul);
    SHIFTS
    return result;
}

unsigned long target(unsigned long a, unsigned long b)
{
    return all((TYPE)a, (TYPE)b);
}
"""
SHIFTS = """
    KEEP((TYPE)(x << (y & (BITS_OF - 1)))); KEEP((TYPE)(x >> (y & (BITS_OF - 1))));
    KEEP((TYPE)(x << 1)); KEEP((TYPE)(x >> 1)); KEEP((TYPE)(x << (BITS_OF - 1))); KEEP((TYPE)(x >> (BITS_OF - 1)));
"""
# An amount that is not a power of two's mask: only clang's _BitInt has such widths.
ODD_SHIFTS = (
    "KEEP((TYPE)(x << (TYPE)((unsigned long)y % BITS_OF))); KEEP((TYPE)(x >> (TYPE)((unsigned long)y % BITS_OF)));"
    """
    KEEP((TYPE)(x << 1)); KEEP((TYPE)(x >> 1)); KEEP((TYPE)(x << (BITS_OF - 1))); KEEP((TYPE)(x >> (BITS_OF - 1)));
"""
)


def of_type(name: str, bits: int, shifts: str = SHIFTS) -> str:
    return ALL.replace("SHIFTS", shifts).replace("TYPE", name).replace("BITS_OF", str(bits))


@pytest.mark.parametrize("kind", [*INTEGERS, BOOL], ids=lambda kind: kind.identifier)
def test_every_operator_of_a_type(kind: object, tmp_path: Path) -> None:
    bits = {8: 32, 16: 32}.get(kind.bits, kind.bits)  # type: ignore[attr-defined]  # promoted before the shift
    assert_agrees(examine_text(of_type(kind.name, bits), tmp_path))  # type: ignore[attr-defined]


@pytest.mark.parametrize(("sign", "bits"), [
    ("unsigned", 3), ("signed", 7), ("unsigned", 9), ("signed", 12), ("signed", 24), ("unsigned", 31), ("signed", 33),
    ("unsigned", 40), ("signed", 63),
])  # fmt: skip
def test_odd_widths(sign: str, bits: int, tmp_path: Path) -> None:
    text = of_type(f"{sign} _BitInt({bits})", bits, ODD_SHIFTS if bits > 7 else "")
    assert_agrees(examine_text(text, tmp_path, is_clang_only=True))


BIT_FIELDS = """
struct fields { unsigned a : 1; signed b : 2; unsigned c : 3; unsigned d : 13; signed e : 17; unsigned long f : 33;
                signed long g : 31; _Bool h : 1; unsigned char i : 5; };

unsigned long target(unsigned a, int b, unsigned c, unsigned d, int e, unsigned long f, long g, int h)
{
    unsigned long result = 1;
    struct fields s = { a, b, c, d, e, f, g, h, a };
    s.c += s.a; s.d *= s.c; s.e -= s.d; s.f ^= s.e; s.g <<= 1; s.b++; s.i |= s.c;
    KEEP(s.a); KEEP(s.b); KEEP(s.c); KEEP(s.d); KEEP(s.e); KEEP(s.f + 0); KEEP(s.g + 0); KEEP(s.h); KEEP(s.i);
    if (s.b < -1) result++;
    if (s.e > s.g) result += 2;
    return result;
}
"""


def test_bit_fields(tmp_path: Path) -> None:
    assert_agrees(examine_text(BIT_FIELDS.replace("KEEP(s.a)", "KEEP(+s.a)").replace("KEEP(s.", "KEEP(+s."), tmp_path))


BUILTINS = """
unsigned long target(unsigned long a, unsigned long b)
{
    unsigned long result = 1;
    unsigned x = a, y = b;
    KEEP(__builtin_popcount(x)); KEEP(__builtin_popcountl(a)); KEEP(__builtin_parity(x)); KEEP(__builtin_parityl(b));
    if (x) { KEEP(__builtin_clz(x)); KEEP(__builtin_ctz(x)); }
    if (a) { KEEP(__builtin_clzl(a)); KEEP(__builtin_ctzl(a)); }
    KEEP(__builtin_ffs(x)); KEEP(__builtin_ffsl(a));
    KEEP(__builtin_bswap16(x)); KEEP(__builtin_bswap32(y)); KEEP(__builtin_bswap64(a));
    KEEP(__builtin_abs((int)x)); KEEP(__builtin_labs((long)a));
    KEEP((unsigned)(x << (y & 31) | x >> (-y & 31)));
    return result;
}
"""


def test_bit_builtins(tmp_path: Path) -> None:
    assert_agrees(examine_text(BUILTINS, tmp_path))


OVERFLOWS = """
unsigned long target(unsigned long a, unsigned long b)
{
    unsigned long result = 1;
    TYPE x = (TYPE)a, y = (TYPE)b, sum = 0, difference = 0, product = 0;
    if (__builtin_add_overflow(x, y, &sum)) result++;
    if (__builtin_sub_overflow(x, y, &difference)) result++;
    _Bool wrapped = __builtin_mul_overflow(x, y, &product);
    if (wrapped) result++;
    KEEP(wrapped); KEEP(sum); KEEP(difference); KEEP(product);
    return result;
}
"""


@pytest.mark.parametrize("kind", INTEGERS[1:9], ids=lambda kind: kind.identifier)
def test_overflow_builtins(kind: object, tmp_path: Path) -> None:
    text = OVERFLOWS.replace("TYPE", kind.name)  # type: ignore[attr-defined]
    assert_agrees(examine_text(text, tmp_path, flips=12))


MIXED_OVERFLOW = """
unsigned long target(int a, unsigned b, long c)
{
    unsigned long result = 1;
    short s; unsigned char u; int i; unsigned long l;
    KEEP(__builtin_add_overflow(a, b, &s)); KEEP(s);
    KEEP(__builtin_mul_overflow(a, b, &i)); KEEP(i);
    KEEP(__builtin_sub_overflow(c, a, &u)); KEEP(u);
    KEEP(__builtin_mul_overflow(c, a, &l)); KEEP(l);
    return result;
}
"""


def test_overflow_of_mixed_types(tmp_path: Path) -> None:
    assert_agrees(examine_text(MIXED_OVERFLOW, tmp_path))


WIDE_SHIFTS = """
unsigned long target(unsigned long a, unsigned long n)
{
    unsigned long result = 1;
    unsigned x = a;
    int i = a;
    KEEP(x << n); KEEP(x >> n); KEEP(i << n); KEEP(i >> n); KEEP(a << n); KEEP(a >> n); KEEP((long)a >> n);
    return result;
}
"""


def test_shift_amounts_out_of_range_do_as_the_machine_does(tmp_path: Path) -> None:
    """Undefined in C; the plain build masks the amount."""
    assert_agrees(examine_text(WIDE_SHIFTS, tmp_path))


BRANCHES = """
int target(int a, unsigned b, long c, unsigned char d, short e)
{
    int n = 0;
    if (a > 3 && b < 10u) n += 1;
    if (c == 1234567890123L || d == 'x') n += 2;
    switch (e) { case -5: n += 4; break; case 7: n += 8; break; case 8: n += 16; case 1000: n += 32; }
    switch (c) { case 1L << 40: n += 64; break; case -1: n += 128; }
    if ((a ^ e) == 77) n += 256;
    while (d > 250) { d++; n += 512; }
    return n;
}
"""


def test_branches_and_switches_flip(tmp_path: Path) -> None:
    tally = examine_text(BRANCHES, tmp_path, count=20, flips=120)
    assert_agrees(tally)
    assert tally.flips > 20
