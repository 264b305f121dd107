"""Each library model does what the machine's own C library does, on many random inputs.

The models are compiled natively into one shared object and called beside the real functions on
equal memory: results, memory afterwards and errno must agree.
"""

from __future__ import annotations

import ctypes
import locale
import os
import platform
import random
import re
import shutil
import struct
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from tightrope.library.libc_models import (
    BY_POINTER,
    EXACT_MATH,
    HARMLESS,
    MODEL_FILES,
    MODELLED,
    NUMERIC,
    PREFIX,
    can_scan,
    required_models,
)
from tightrope.library.table import Section

pytestmark = pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="the models follow glibc")

ROUNDS = 600
SIZE = 160  # of every buffer: no call below reaches its end
LIBC = ctypes.CDLL(None, use_errno=True)
LIBM = ctypes.CDLL("libm.so.6", use_errno=True)
Arguments = list[Any]


PARTS_OF_THE_RUNTIME = r"""
#define _GNU_SOURCE
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int *tightrope_model___errno_location(void);
void tightrope_beyond(void) {}
void *tightrope_malloc(unsigned long n) { return malloc(n); }
void *tightrope_aligned(unsigned long alignment, unsigned long n) { return aligned_alloc(alignment, n); }
int tightrope_native_vsnprintf(char *to, unsigned long size, const char *format, va_list arguments)
{
    return vsnprintf(to, size, format, arguments);
}
int tightrope_print_real(char *to, unsigned long size, int flags, int width, int precision, int letter, const void *at)
{
    char format[16] = "%", *end = format + 1;
    for (int i = 0; i < 5; i++)
        if (flags & 1 << i) *end++ = "-+ #0"[i];
    sprintf(end, "*.*%s%c", flags & 32 ? "L" : "", letter);
    if (flags & 32) return snprintf(to, size, format, width, precision, *(const long double *)at);
    return snprintf(to, size, format, width, precision, *(const double *)at);
}
FILE *tightrope_native_fopen(const char *name, const char *mode) { return fopen(name, mode); }
FILE *tightrope_native_empty_stream(void) { return fopen("/dev/null", "r"); }
double tightrope_native_fmod(double x, double y) { return __builtin_fmod(x, y); }
float tightrope_native_fmodf(float x, float y) { return __builtin_fmodf(x, y); }
double tightrope_read_double(const char *text, unsigned long length, unsigned long *used)
{
    char *copy = strndup(text, length), *end;
    errno = 0;
    double value = strtod(copy, &end);
    *used = end - copy;
    *tightrope_model___errno_location() = errno;
    return value;
}
float tightrope_read_float(const char *text, unsigned long length, unsigned long *used)
{
    char *copy = strndup(text, length), *end;
    errno = 0;
    float value = strtof(copy, &end);
    *used = end - copy;
    *tightrope_model___errno_location() = errno;
    return value;
}
"""


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    folder = tmp_path_factory.mktemp("models")
    heap = folder / "heap.c"
    heap.write_text(PARTS_OF_THE_RUNTIME)
    compiler = ["gcc"] if shutil.which("gcc") else [sys.executable, "-m", "ziglang", "cc", "-fno-sanitize=undefined"]
    files = [str(header.path) for header in MODEL_FILES]
    command = [*compiler, "-shared", "-fPIC", "-fno-builtin", "-fwrapv", *files, str(heap), "-o", str(folder / "m.so")]
    subprocess.run(command, check=True)
    return ctypes.CDLL(str(folder / "m.so"))


@pytest.fixture(scope="module", autouse=True)
def plain_locale() -> Iterator[None]:
    """Python has set the locale of its environment; a C program starts in that of C."""
    before = locale.setlocale(locale.LC_ALL)
    locale.setlocale(locale.LC_ALL, "C")
    yield
    locale.setlocale(locale.LC_ALL, before)


def text(source: random.Random) -> bytes:
    """A short text over few letters, so that matches and near matches are frequent."""
    return bytes(source.choice(b"aaabbcABzZ@[,. \x80\xff\xe4") for _ in range(source.randrange(9)))


def number_text(source: random.Random) -> bytes:
    blanks = source.choice((b"", b"", b" ", b"\t\n "))
    sign = source.choice((b"", b"", b"-", b"+", b"- "))
    prefix = source.choice((b"", b"", b"0", b"0x", b"0X", b"0b"))
    letters = b"0123456789" * 3 + b"afFzZ_"
    digits = bytes(source.choice(letters) for _ in range(source.randrange(24)))
    if source.random() < 0.5:
        digits = str(source.choice((2**31, 2**32, 2**63, 2**64)) + source.randrange(-2, 2)).encode()
    return blanks + sign + prefix + digits + source.choice((b"", b" ", b"x"))


def wide_text(source: random.Random) -> bytes:
    codes = [source.choice((*b"aaabbcAB,. ", 0xE4, 0x20AC, 0x80000000)) for _ in range(source.randrange(9))]
    return struct.pack(f"{len(codes)}I", *codes)


def plain_wide_text(source: random.Random) -> bytes:
    """Mostly of characters that are bytes in the C locale."""
    codes = [source.choice((*b"abcAB,. " * 4, 0xE4)) for _ in range(source.randrange(9))]
    return struct.pack(f"{len(codes)}I", *codes)


def real_text(source: random.Random) -> bytes:
    blanks, sign = source.choice((b"", b"", b" ", b"\t\n ")), source.choice((b"", b"", b"-", b"+", b"- "))
    words = (b"inf", b"INFINITY", b"nan", b"NaN(12)", b"infin", b"0x1.8p3", b"0x", b"0X.8", b"in", b".", b"e5", b"")
    if source.random() < 0.15:
        return blanks + sign + source.choice(words) + source.choice((b"", b"x"))
    whole = "".join(source.choice("0123456789") for _ in range(source.choice((0, 1, 1, 2, 3, 9, 15, 16, 20))))
    fraction = "." + "".join(source.choice("0123456789") for _ in range(source.randrange(8)))
    exponent = source.choice(("e5", "e-3", "E22", "e-22", "e23", "e400", "e-400", "e", "e+", "e+7x"))
    parts = whole + source.choice(("", fraction)) + source.choice(("", "", exponent))
    return blanks + sign + parts.encode() + source.choice((b"", b" ", b"x"))


def path_text(source: random.Random) -> bytes:
    return bytes(source.choice(b"a/b/./") for _ in range(source.randrange(9)))


def integer(source: random.Random) -> int:
    return source.choice((0, 1, -1, 7, 2**31 - 1, -(2**31), source.getrandbits(32) - 2**31, 1 << source.randrange(31)))


def long_integer(source: random.Random) -> int:
    return source.choice((integer(source), 2**63 - 1, -(2**63), source.getrandbits(64) - 2**63))


def real(source: random.Random) -> float:
    return source.choice((0.0, -0.0, 0.5, -0.5, 1.5, 2.5, -2.5, 1e6, source.uniform(-1000, 1000), 97.0))


def any_real(source: random.Random) -> float:
    special = (
        float("inf"),
        -float("inf"),
        float("nan"),
        5e-324,
        1e308,
        1.7976931348623157e308,
        2.2250738585072014e-308,
    )
    return source.choice(
        (real(source), *special, -3e-310, 3e-45, 1e-39, source.uniform(-1, 1) * 2.0 ** source.randrange(-1074, 1000))
    )


def near_real(source: random.Random) -> float:
    """Numbers whose quotients are small, and some others."""
    return source.choice(
        (any_real(source), source.uniform(-9, 9), source.uniform(-1, 1), 1.0, 0.1, 0.3, 3.0, 5e-324, 1e-39)
    )


# What an argument's letter stands for; a `bytes` value becomes a buffer of its own.
LETTERS: dict[str, tuple[Any, Callable[[random.Random], Any]]] = {
    "t": (ctypes.c_char_p, text),
    "#": (ctypes.c_char_p, number_text),
    "n": (ctypes.c_size_t, lambda source: source.randrange(10)),
    "c": (ctypes.c_int, lambda source: source.choice((*b"abAB,. \xff\x80", 0, 256 + ord("a"), -1))),
    "e": (ctypes.c_void_p, lambda source: bytes(8)),
    "b": (ctypes.c_int, lambda source: source.choice((0, 10, 10, 16, 8, 2, 36, 1, 37, -1, 3))),
    "i": (ctypes.c_int, integer),
    "l": (ctypes.c_long, long_integer),
    "d": (ctypes.c_double, real),
    "f": (ctypes.c_float, real),
    "D": (ctypes.c_double, any_real),
    "F": (ctypes.c_float, any_real),
    "o": (ctypes.c_double, near_real),
    "O": (ctypes.c_float, near_real),
    "w": (ctypes.c_char_p, wide_text),
    "v": (ctypes.c_char_p, plain_wide_text),
    "W": (ctypes.c_int, lambda source: source.choice((*b"abAB,. ", 0, 0xE4, 0x20AC))),
    "r": (ctypes.c_char_p, real_text),
    "/": (ctypes.c_char_p, path_text),
    "x": (
        ctypes.c_int,
        lambda source: source.choice(
            (
                0,
                1,
                -1,
                5,
                -60,
                1023,
                -1022,
                -1074,
                2000,
                -2100,
                2**31 - 1,
                -(2**31),
                source.randrange(-2200, 2200),
                source.randrange(-160, 160),
            )
        ),
    ),
    "s": (ctypes.c_int, lambda source: source.choice((0, 1, 9, 15, 32, 33, 34, 64, 65, -1))),
    "S": (ctypes.c_char_p, lambda source: bytes(source.randrange(256) for _ in range(8)) + bytes(56)),
    "u": (ctypes.c_uint, lambda source: source.getrandbits(32)),
    "h": (ctypes.c_ushort, lambda source: source.getrandbits(16)),
    "m": (ctypes.c_void_p, lambda source: bytes(SIZE)),  # room for a result
    "z": (ctypes.c_int, lambda source: 0),
    "y": (ctypes.c_size_t, lambda source: source.randrange(4)),
    "k": (ctypes.c_size_t, lambda source: 1000),  # what the compiler knows of a buffer: enough
}
POINTER, VOID = "pointer", None
SIGNATURES: dict[str, tuple[Any, str]] = {
    "memcpy": (POINTER, "ttn"), "mempcpy": (POINTER, "ttn"), "memmove": (POINTER, "ttn"), "memset": (POINTER, "tcn"),
    "memccpy": (POINTER, "ttcn"), "memcmp": (ctypes.c_int, "ttn"), "memchr": (POINTER, "tcn"),
    "memrchr": (POINTER, "tcn"), "strlen": (ctypes.c_size_t, "t"), "strnlen": (ctypes.c_size_t, "tn"),
    "stpcpy": (POINTER, "tt"), "strcpy": (POINTER, "tt"), "stpncpy": (POINTER, "ttn"), "strncpy": (POINTER, "ttn"),
    "strcat": (POINTER, "tt"), "strncat": (POINTER, "ttn"), "strcmp": (ctypes.c_int, "tt"),
    "strncmp": (ctypes.c_int, "ttn"), "strcoll": (ctypes.c_int, "tt"), "strchrnul": (POINTER, "tc"),
    "strchr": (POINTER, "tc"), "strrchr": (POINTER, "tc"), "strstr": (POINTER, "tt"), "strspn": (ctypes.c_size_t, "tt"),
    "strcspn": (ctypes.c_size_t, "tt"), "strpbrk": (POINTER, "tt"), "strdup": (ctypes.c_char_p, "t"),
    "strndup": (ctypes.c_char_p, "tn"), "strcasecmp": (ctypes.c_int, "tt"), "strncasecmp": (ctypes.c_int, "ttn"),
    "bcmp": (ctypes.c_int, "ttn"), "bcopy": (VOID, "ttn"), "bzero": (VOID, "tn"), "index": (POINTER, "tc"),
    "rindex": (POINTER, "tc"), "ffs": (ctypes.c_int, "i"), "ffsl": (ctypes.c_int, "l"), "ffsll": (ctypes.c_int, "l"),
    "abs": (ctypes.c_int, "i"), "labs": (ctypes.c_long, "l"), "llabs": (ctypes.c_long, "l"),
    "strtol": (ctypes.c_long, "#eb"), "strtoll": (ctypes.c_long, "#eb"), "strtoul": (ctypes.c_ulong, "#eb"),
    "strtoull": (ctypes.c_ulong, "#eb"), "atoi": (ctypes.c_int, "#"), "atol": (ctypes.c_long, "#"),
    "atoll": (ctypes.c_long, "#"), "lround": (ctypes.c_long, "d"), "lroundf": (ctypes.c_long, "f"),
    "llround": (ctypes.c_long, "d"), "llroundf": (ctypes.c_long, "f"), "lrint": (ctypes.c_long, "d"),
    "lrintf": (ctypes.c_long, "f"), "llrint": (ctypes.c_long, "d"), "llrintf": (ctypes.c_long, "f"),
    "fdim": (ctypes.c_double, "DD"), "fdimf": (ctypes.c_float, "FF"), "modf": (ctypes.c_double, "De"),
    "modff": (ctypes.c_float, "Fe"), "__isnan": (ctypes.c_int, "D"), "__isnanf": (ctypes.c_int, "F"),
    "isnan": (ctypes.c_int, "D"), "__isinf": (ctypes.c_int, "D"), "__isinff": (ctypes.c_int, "F"),
    "isinf": (ctypes.c_int, "D"), "__finite": (ctypes.c_int, "D"), "__finitef": (ctypes.c_int, "F"),
    "finite": (ctypes.c_int, "D"), "__fpclassify": (ctypes.c_int, "D"), "__fpclassifyf": (ctypes.c_int, "F"),
    "fmod": (ctypes.c_double, "oo"), "fmodf": (ctypes.c_float, "OO"), "difftime": (ctypes.c_double, "ll"),
    "ldexp": (ctypes.c_double, "Dx"), "ldexpf": (ctypes.c_float, "Fx"), "scalbn": (ctypes.c_double, "Dx"),
    "scalbnf": (ctypes.c_float, "Fx"), "scalbln": (ctypes.c_double, "Dl"), "scalblnf": (ctypes.c_float, "Fl"),
    "frexp": (ctypes.c_double, "De"), "frexpf": (ctypes.c_float, "Fe"), "ilogb": (ctypes.c_int, "D"),
    "ilogbf": (ctypes.c_int, "F"), "logb": (ctypes.c_double, "D"), "logbf": (ctypes.c_float, "F"),
    "copysign": (ctypes.c_double, "DD"), "copysignf": (ctypes.c_float, "FF"), "nextafter": (ctypes.c_double, "DD"),
    "nextafterf": (ctypes.c_float, "FF"), "strtod": (ctypes.c_double, "re"), "strtof": (ctypes.c_float, "re"),
    "atof": (ctypes.c_double, "r"), "rawmemchr": (POINTER, "tz"), "memmem": (POINTER, "tnty"),
    "explicit_bzero": (VOID, "tn"), "swab": (VOID, "ttn"), "strcasestr": (POINTER, "tt"),
    "strxfrm": (ctypes.c_size_t, "ttn"), "__mempcpy": (POINTER, "ttn"), "__stpcpy": (POINTER, "tt"),
    "__rawmemchr": (POINTER, "tz"), "__strdup": (ctypes.c_char_p, "t"), "__strndup": (ctypes.c_char_p, "tn"),
    "imaxabs": (ctypes.c_long, "l"), "strtoimax": (ctypes.c_long, "#eb"), "strtoumax": (ctypes.c_ulong, "#eb"),
    "htons": (ctypes.c_ushort, "h"), "ntohs": (ctypes.c_ushort, "h"), "htonl": (ctypes.c_uint, "u"),
    "ntohl": (ctypes.c_uint, "u"), "basename": (POINTER, "/"), "__xpg_basename": (POINTER, "/"),
    "dirname": (POINTER, "/"), "gettext": (POINTER, "t"), "dgettext": (POINTER, "tt"), "dcgettext": (POINTER, "ttz"),
    "ngettext": (POINTER, "ttn"), "dngettext": (POINTER, "tttn"), "dcngettext": (POINTER, "tttnz"),
    "sigemptyset": (ctypes.c_int, "S"), "sigaddset": (ctypes.c_int, "Ss"), "sigdelset": (ctypes.c_int, "Ss"),
    "sigismember": (ctypes.c_int, "Ss"), "wcslen": (ctypes.c_size_t, "w"), "wcsnlen": (ctypes.c_size_t, "wn"),
    "wmemcpy": (POINTER, "wwn"), "wmemmove": (POINTER, "wwn"), "wmemset": (POINTER, "wWn"),
    "wmemcmp": (ctypes.c_int, "wwn"), "wmemchr": (POINTER, "wWn"), "wcscpy": (POINTER, "ww"),
    "wcsncpy": (POINTER, "wwn"), "wcscat": (POINTER, "ww"), "wcsncat": (POINTER, "wwn"), "wcscmp": (ctypes.c_int, "ww"),
    "wcsncmp": (ctypes.c_int, "wwn"), "wcscoll": (ctypes.c_int, "vv"), "wcschr": (POINTER, "wW"),
    "wcsrchr": (POINTER, "wW"), "wcsstr": (POINTER, "ww"), "wcsspn": (ctypes.c_size_t, "ww"),
    "wcscspn": (ctypes.c_size_t, "ww"), "wcspbrk": (POINTER, "ww"), "btowc": (ctypes.c_int, "c"),
    "wctob": (ctypes.c_int, "W"), "__ctype_get_mb_cur_max": (ctypes.c_size_t, ""), "mbsinit": (ctypes.c_int, "e"),
    "mbrtowc": (ctypes.c_size_t, "mtne"), "mbrlen": (ctypes.c_size_t, "tne"), "mbtowc": (ctypes.c_int, "mtn"),
    "mblen": (ctypes.c_int, "tn"), "wcrtomb": (ctypes.c_size_t, "mWe"), "wctomb": (ctypes.c_int, "mW"),
    "mbstowcs": (ctypes.c_size_t, "mtn"), "wcstombs": (ctypes.c_size_t, "mvn"),
    "__memcpy_chk": (POINTER, "ttnk"), "__mempcpy_chk": (POINTER, "ttnk"), "__memmove_chk": (POINTER, "ttnk"),
    "__memset_chk": (POINTER, "tcnk"), "__stpcpy_chk": (POINTER, "ttk"), "__strcpy_chk": (POINTER, "ttk"),
    "__stpncpy_chk": (POINTER, "ttnk"), "__strncpy_chk": (POINTER, "ttnk"), "__strcat_chk": (POINTER, "ttk"),
    "__strncat_chk": (POINTER, "ttnk"),
}  # fmt: skip
CHARACTERS = [name for name in MODELLED if re.fullmatch("(is|to)[a-z]+", name) and MODELLED[name].header == "ctype.h"]


def real_function(name: str) -> Any:
    """The C library's own function, whatever part of it that is in."""
    try:
        return LIBC[name]
    except AttributeError:
        return LIBM[name]


def call(function: Any, result: Any, letters: str, arguments: Arguments) -> tuple[Any, list[bytes]]:
    """What the function gave and what it left in memory; a pointer as (buffer, offset)."""
    buffers = [ctypes.create_string_buffer(a, SIZE) for a in arguments if isinstance(a, bytes)]
    waiting = iter(buffers)
    function.restype = ctypes.c_void_p if result == POINTER else result
    function.argtypes = [ctypes.c_void_p if LETTERS[x][0] is ctypes.c_char_p else LETTERS[x][0] for x in letters]
    given = function(*[ctypes.addressof(next(waiting)) if isinstance(a, bytes) else a for a in arguments])
    places = [place(buffers, p) for b in buffers if (p := struct.unpack_from("Q", b.raw)[0])]
    if result == POINTER:
        given = place(buffers, given or 0)
    memory = [b.raw if place(buffers, struct.unpack_from("Q", b.raw)[0]) is None else b"" for b in buffers]
    return repr(given), [*memory, repr(places).encode()]


def place(buffers: list[Any], address: int) -> tuple[int, int] | None:
    """Which buffer an address is in, and how far."""
    offsets = [address - ctypes.addressof(buffer) for buffer in buffers]
    for number, offset in enumerate(offsets):
        if 0 <= offset < SIZE:
            return number, offset
    return (offsets.index(SIZE), SIZE) if SIZE in offsets else None


def rounds(letters: str) -> Iterator[Arguments]:
    source = random.Random(letters)
    for _ in range(ROUNDS):
        yield [LETTERS[letter][1](source) for letter in letters]


def promised(name: str, given: str, memory: list[bytes]) -> tuple[str, list[bytes]]:
    """What C says about an answer. Of a comparison only the sign: glibc's value depends on the processor."""
    if name.endswith(("cmp", "coll")):
        given = str((int(given) > 0) - (int(given) < 0))
    return given, memory


@pytest.mark.parametrize("name", SIGNATURES)
def test_a_model_agrees_with_the_library(models: ctypes.CDLL, name: str) -> None:
    result, letters = SIGNATURES[name]
    model_errno = models[PREFIX + "__errno_location"]
    model_errno.restype = ctypes.POINTER(ctypes.c_int)
    for arguments in rounds(letters):
        ctypes.set_errno(0)
        model_errno()[0] = 0
        expected = promised(name, *call(real_function(name), result, letters, arguments))
        assert promised(name, *call(models[PREFIX + name], result, letters, arguments)) == expected, arguments
        if any(letter in letters for letter in "#rxlsm") or name.startswith(("ilogb", "logb", "nextafter")):
            assert model_errno()[0] == ctypes.get_errno(), arguments


@pytest.mark.parametrize("name", CHARACTERS)
def test_characters_agree(models: ctypes.CDLL, name: str) -> None:
    for c in range(-128, 256):
        assert models[PREFIX + name](c) == LIBC[name](c), c


@pytest.mark.parametrize(("name", "element"), [
    ("__ctype_b_loc", ctypes.c_ushort), ("__ctype_tolower_loc", ctypes.c_int), ("__ctype_toupper_loc", ctypes.c_int),
])  # fmt: skip
def test_character_tables_agree(models: ctypes.CDLL, name: str, element: Any) -> None:
    tables = []
    for function in (models[PREFIX + name], LIBC[name]):
        function.restype = ctypes.POINTER(ctypes.POINTER(element))
        tables.append([function()[0][c] for c in range(-128, 256)])
    assert tables[0] == tables[1]


@pytest.mark.parametrize("shift", range(-9, 10))
def test_memmove_copes_with_overlap(models: ctypes.CDLL, shift: int) -> None:
    buffers = [ctypes.create_string_buffer(bytes(range(1, 41)), SIZE) for _ in range(2)]
    for function, buffer in zip((models[PREFIX + "memmove"], LIBC.memmove), buffers, strict=True):
        at = ctypes.addressof(buffer) + 16
        function(ctypes.c_void_p(at + shift), ctypes.c_void_p(at), ctypes.c_size_t(8))
    assert buffers[0].raw == buffers[1].raw


@pytest.mark.parametrize("name", ["strtok", "strtok_r", "strsep"])
def test_tokens_agree(models: ctypes.CDLL, name: str) -> None:
    for arguments in rounds("tt"):
        assert tokens(models[PREFIX + name], name, arguments) == tokens(LIBC[name], name, arguments), arguments


def tokens(function: Any, name: str, arguments: Arguments) -> list[Any]:
    buffer, separators = ctypes.create_string_buffer(arguments[0], SIZE), ctypes.c_char_p(arguments[1])
    state = ctypes.c_void_p(ctypes.addressof(buffer))
    function.restype = ctypes.c_char_p
    found: list[Any] = []
    for turn in range(12):
        first = buffer if turn == 0 else None
        if name == "strsep":
            found.append(function(ctypes.byref(state), separators))
        elif name == "strtok":
            found.append(function(first, separators))
        else:
            found.append(function(first, separators, ctypes.byref(state)))
    return [*found, buffer.raw]


COMPARISON = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ctypes.c_ubyte), ctypes.POINTER(ctypes.c_ubyte))


def test_qsort_sorts_and_keeps_the_order_of_equals(models: ctypes.CDLL) -> None:
    compare = COMPARISON(lambda left, right: left[0] - right[0])
    source = random.Random("qsort")
    for count in range(10):
        pairs = [bytes((source.randrange(4), i, 9)) for i in range(count)]
        buffer = ctypes.create_string_buffer(b"".join(pairs), 3 * count + 1)
        models[PREFIX + "qsort"](buffer, ctypes.c_size_t(count), ctypes.c_size_t(3), compare)
        assert buffer.raw[:-1] == b"".join(sorted(pairs, key=lambda pair: pair[0]))


def test_qsort_r_hands_the_context_on(models: ctypes.CDLL) -> None:
    kind = ctypes.CFUNCTYPE(
        ctypes.c_int, ctypes.POINTER(ctypes.c_ubyte), ctypes.POINTER(ctypes.c_ubyte), ctypes.c_void_p
    )
    compare = kind(lambda left, right, context: (left[0] - right[0]) * (-1 if context == 77 else 1))
    buffer = ctypes.create_string_buffer(b"banana", 6)
    models[PREFIX + "qsort_r"](buffer, ctypes.c_size_t(6), ctypes.c_size_t(1), compare, ctypes.c_void_p(77))
    assert buffer.raw == b"nnbaaa"


def test_bsearch_finds_what_the_library_finds(models: ctypes.CDLL) -> None:
    compare = COMPARISON(lambda left, right: left[0] - right[0])
    source = random.Random("bsearch")
    for _ in range(100):
        values = bytes(sorted(source.randrange(1, 9) for _ in range(source.randrange(8))))
        buffer = ctypes.create_string_buffer(values, 9)
        key = ctypes.create_string_buffer(bytes([source.randrange(9)]), 1)
        found = []
        for function in (models[PREFIX + "bsearch"], LIBC.bsearch):
            function.restype = ctypes.c_void_p
            found.append(function(key, buffer, ctypes.c_size_t(len(values)), ctypes.c_size_t(1), compare))
        assert found[0] == found[1]


class Quotient(ctypes.Structure):
    _fields_ = [("quotient", ctypes.c_int), ("remainder", ctypes.c_int)]


class LongQuotient(ctypes.Structure):
    _fields_ = [("quotient", ctypes.c_long), ("remainder", ctypes.c_long)]


@pytest.mark.parametrize(("name", "result", "letter"), [
    ("div", Quotient, "i"), ("ldiv", LongQuotient, "l"), ("lldiv", LongQuotient, "l"),
])  # fmt: skip
def test_divisions_agree(models: ctypes.CDLL, name: str, result: Any, letter: str) -> None:
    kind = LETTERS[letter][0]
    for left, right in rounds(letter * 2):
        if right in (0, -1):
            continue
        answers = []
        for function in (models[PREFIX + name], LIBC[name]):
            function.restype, function.argtypes = result, [kind, kind]
            answers.append(bytes(function(left, right)))
        assert answers[0] == answers[1]


@pytest.mark.parametrize(("written", "base", "value"), [
    (b"0b101", 0, 5), (b"0B11x", 2, 3), (b"0b2", 0, 0), (b"-0b1", 0, -1), (b"0b1", 16, 0xB1), (b"077", 0, 63),
])  # fmt: skip
def test_c23_numbers_may_be_binary(models: ctypes.CDLL, written: bytes, base: int, value: int) -> None:
    for name in ("strtol", "strtoll", "strtoul", "strtoull"):
        function = models[f"{PREFIX}__isoc23_{name}"]
        function.restype = ctypes.c_long
        assert function(written, None, base) == value


def test_every_model_is_in_the_table_and_tested() -> None:
    for header in MODEL_FILES:
        defined = re.findall(rf"^\w[^;=\n]*\b{PREFIX}(\w+)\([^;]*?\)\s*{{", header.path.read_text(), re.MULTILINE)
        assert sorted(defined) == sorted(header.names)
    elsewhere = set(
        "div ldiv lldiv qsort bsearch strtok strtok_r __strtok_r strsep __errno_location imaxdiv wcsdup sigfillset"
        " signal sigaction raise getopt getopt_long getopt_long_only __signbit __signbitf strlcpy strlcat aligned_alloc memalign posix_memalign reallocarray"
        " err errx verr verrx error error_at_line qsort_r snprintf vsnprintf sprintf vsprintf asprintf vasprintf sscanf vsscanf __isoc99_sscanf __isoc99_vsscanf"
        " __snprintf_chk __vsnprintf_chk __sprintf_chk __vsprintf_chk".split()
    )
    by_file = ("stdio_read", "stdio_write", "pthread", "stdatomic")
    elsewhere |= {name for name, header in MODELLED.items() if header.model in by_file}
    untested = set(MODELLED) - set(SIGNATURES) - set(CHARACTERS) - set(WIDE_CLASSES) - elsewhere - BY_POINTER
    assert {name for name in untested if not name.startswith(("__ctype_", "__isoc23_"))} == set()


def test_a_name_is_in_one_table_only() -> None:
    answers = {name for name, header in MODELLED.items() if header.model == "stdio_write"}
    assert answers <= HARMLESS
    tables = [frozenset(MODELLED) - answers, HARMLESS, NUMERIC, frozenset(EXACT_MATH)]
    assert sum(len(table) for table in tables) == len(frozenset().union(*tables))


def test_required_models_follow_calls_between_models() -> None:
    assert [h.header for h in required_models(frozenset({"atoi", "popen"}))] == ["errno.h", "stdlib.h"]
    assert [h.header for h in required_models(frozenset({"bzero"}))] == ["string.h", "strings.h"]


def test_who_scans_texts_needs_no_standard_input() -> None:
    assert {"stdio_scan", "stdio_read"} <= {header.model for header in required_models(frozenset({"fscanf"}))}
    assert "stdio_read" not in {header.model for header in required_models(frozenset({"sscanf"}))}


# -- printing into memory


def random_conversion(source: random.Random) -> tuple[str, list[Any]]:
    """A conversion and the arguments that it takes."""
    flags = "".join(source.choice("-+ #0") for _ in range(source.choice((0, 0, 1, 2))))
    width, arguments = source.choice(("", "", "1", "7", "12", "*")), []
    precision = source.choice(("", "", ".", ".0", ".3", ".9", ".*"))
    letter = source.choice("ddiuxXoccssfeEgGa%")
    size = source.choice(("", "", "hh", "h", "l", "ll", "z", "j", "t")) if letter in "diuxXo" else ""
    # glibc forgets that a negative width overrules `0` as soon as some library, such as that of numpy, has registered
    # conversions of its own; other tests of the same process may have loaded one.
    arguments += [ctypes.c_int(source.randrange(0 if "0" in flags else -9, 9))] if width == "*" else []
    arguments += [ctypes.c_int(source.randrange(-3, 9))] if precision == ".*" else []
    if letter in "feEgGa":
        arguments.append(ctypes.c_double(any_real(source)))
    elif letter == "s":
        arguments.append(source.choice((text(source), text(source), None)))
    elif letter == "c":
        arguments.append(ctypes.c_int(source.randrange(1, 256)))
    elif letter != "%":
        arguments.append(ctypes.c_long(long_integer(source) if len(size) else integer(source)))
    return ("%%", []) if letter == "%" else (f"%{flags}{width}{precision}{size}{letter}", arguments)


def test_printing_into_memory_agrees(models: ctypes.CDLL) -> None:
    source = random.Random("print")
    for _ in range(4000):
        pieces = [random_conversion(source) for _ in range(source.randrange(1, 4))]
        form = "a".join(piece for piece, _ in pieces).encode()
        arguments = [argument for _, given in pieces for argument in given]
        size = source.choice((0, 1, 5, 20, 500))
        answers = []
        for function in (models[PREFIX + "snprintf"], LIBC.snprintf):
            buffer = ctypes.create_string_buffer(b"#" * 1200, 1200)
            answers.append((function(buffer, ctypes.c_size_t(size), form, *arguments), buffer.raw))
        assert answers[0] == answers[1], (form, arguments, size)


@pytest.mark.parametrize(("form", "value"), [
    ("%.400f", 1e300), ("%s %d%n", None), ("%ls", None), ("%lc%lc", None), ("%1$d", None), ("%Lf", None), ("%m", None),
])  # fmt: skip
def test_rare_conversions_agree(models: ctypes.CDLL, form: str, value: float | None) -> None:
    seen = []
    for function in (models[PREFIX + "snprintf"], LIBC.snprintf):
        buffer, count = ctypes.create_string_buffer(1200), ctypes.c_int(-7)
        wide = ctypes.create_unicode_buffer("wide")
        given = {
            "%.400f": [ctypes.c_double(value or 0)], "%s %d%n": [b"x", 17, ctypes.byref(count)], "%ls": [wide],
            "%lc%lc": [ord("a"), 300], "%1$d": [5], "%Lf": [ctypes.c_longdouble(0.1)], "%m": [],
        }[form]  # fmt: skip
        ctypes.set_errno(0)
        seen.append((function(buffer, ctypes.c_size_t(1200), form.encode(), *given), buffer.raw, count.value))
    assert seen[0] == seen[1]


@pytest.mark.parametrize("name", ["sprintf", "__sprintf_chk", "__snprintf_chk"])
def test_other_ways_to_print_agree(models: ctypes.CDLL, name: str) -> None:
    seen = []
    for function in (models[PREFIX + name], LIBC[name]):
        buffer = ctypes.create_string_buffer(100)
        extra = {"sprintf": [], "__sprintf_chk": [0, ctypes.c_size_t(100)]}.get(name)
        if extra is None:
            extra = [ctypes.c_size_t(9), 0, ctypes.c_size_t(100)]
        seen.append((function(buffer, *extra, b"%d,%s", 12345, b"abcdef"), buffer.raw))
    assert seen[0] == seen[1]


def test_printing_into_new_memory_agrees(models: ctypes.CDLL) -> None:
    seen = []
    for function in (models[PREFIX + "asprintf"], LIBC.asprintf):
        made = ctypes.c_char_p()
        seen.append((function(ctypes.byref(made), b"<%5d|%s>", 42, b"text"), made.value))
    assert seen[0] == seen[1] == (12, b"<   42|text>")


# -- reading from memory

SCANS = (
    b"%d", b"%i", b"%u", b"%x", b"%o", b"%3d%2d", b"%d.%d.%d.%d", b"%s", b"%3s", b"%c", b"%2c", b"%[abc]", b"%[^,],%d",
    b"%[a-c]%n", b" %d , %d", b"%*d %d", b"%d%%", b"%hhd", b"%hd", b"%ld", b"%lld", b"%s %s", b"a%db", b"%d%c", b"%*s%s",
    b"%2x:%2x", b"%[]a]", b"%[^]a]", b"%5[^\n]", b"%lf", b"%f", b"%4lf", b"%le%n", b"%d %lf", b"%n%d", b"%[a-b-z]",
    b"%[c-a]%n", b"%[-a]", b"%[]-a]", b"%[^-c]%c", b"%la%n", b"%Ld", b"%2i%i%n", b"%*5c%n%s", b"%3[^a-c]%%%n", b"%Lf",
)  # fmt: skip


def scanned_text(source: random.Random, form: bytes) -> bytes:
    if source.random() < 0.3:
        return source.choice((number_text, real_text, text))(source)
    if source.random() < 0.3:
        return bytes(source.choice(b"0123abcxX,.- \n]%") for _ in range(source.randrange(10)))
    piece = lambda: str(
        source.choice((0, 7, -12, 255, 99999999999, "0x1f", "abc", "b,5", "1.5e3", "-0x", "077"))
    ).encode()
    made = re.sub(rb"%\*?\d*(?:hh|h|ll|l)?(?:[a-z]|\[\^?\]?[^\]]*\])", lambda _: piece(), form.replace(b"%%", b"%"))
    return source.choice((made, b" " + made, made[: source.randrange(len(made) + 1)]))


@pytest.mark.parametrize("form", SCANS)
def test_reading_from_memory_agrees(models: ctypes.CDLL, form: bytes) -> None:
    source = random.Random(form)
    assert can_scan("sscanf", form)
    for _ in range(300):
        given, seen = scanned_text(source, form), []
        for function in (models[PREFIX + "sscanf"], LIBC.__isoc99_sscanf):
            buffers = [ctypes.create_string_buffer(b"#" * SIZE, SIZE) for _ in range(4)]
            seen.append((function(given, form, *buffers), [buffer.raw for buffer in buffers]))
        assert seen[0] == seen[1], given


@pytest.mark.parametrize("form", [b"%ms", b"%ls", b"%p", b"%1$d", b"%as", b"%d%", b"%lc", b"%l[a]", b"%'d", None])
def test_what_the_model_of_sscanf_leaves_to_the_library(form: bytes | None) -> None:
    assert not can_scan("sscanf", form)


@pytest.mark.parametrize(("written", "form", "value", "used"), [
    (b"0b101x", b"%i%n", 5, 5), (b"-0B1", b"%i%n", -1, 4), (b"0b2", b"%i%n", 0, 2), (b"0b11", b"%3i%n", 1, 3),
    (b"0b1", b"%x%n", 0xB1, 3), (b"0b1", b"%d%n", 0, 1), (b"0x1f", b"%i%n", 31, 4), (b"077", b"%i%n", 63, 3),
])  # fmt: skip
def test_c23_scans_binary_numbers(models: ctypes.CDLL, written: bytes, form: bytes, value: int, used: int) -> None:
    """Not in every glibc; as the standard says."""
    number, count = ctypes.c_int(-7), ctypes.c_int(-7)
    assert models[f"{PREFIX}__isoc23_sscanf"](written, form, ctypes.byref(number), ctypes.byref(count)) == 1
    assert (number.value, count.value) == (value, used)


def test_what_is_too_large_to_be_scanned_is_told_by_errno(models: ctypes.CDLL) -> None:
    location = models[f"{PREFIX}__errno_location"]
    location.restype = ctypes.POINTER(ctypes.c_int)
    for written in (b"9223372036854775807", b"9223372036854775808", b"-9223372036854775808", b"18446744073709551616"):
        for form in (b"%ld", b"%lu", b"%d", b"%hhx"):
            ctypes.set_errno(0)
            location()[0] = 0
            numbers = [ctypes.c_long(-7), ctypes.c_long(-7)]
            models[f"{PREFIX}sscanf"](written, form, ctypes.byref(numbers[0]))
            LIBC.__isoc99_sscanf(written, form, ctypes.byref(numbers[1]))
            assert (numbers[0].value, location()[0]) == (numbers[1].value, ctypes.get_errno()), (written, form)


def test_formats_that_are_not_known_are_scanned_where_the_library_could_not() -> None:
    assert can_scan("__isoc99_scanf", None) and can_scan("fscanf", None) and can_scan("__isoc99_vsscanf", None)
    assert not can_scan("__isoc99_scanf", b"%ms") and not can_scan("__isoc99_sscanf", None)


# -- further functions

WIDE_CLASSES = [name for name in MODELLED if MODELLED[name].header == "wctype.h"]


@pytest.mark.parametrize("name", WIDE_CLASSES)
def test_wide_characters_agree(models: ctypes.CDLL, name: str) -> None:
    for c in (-1, *range(1000), 0x20AC, 2**31 - 1):
        assert models[PREFIX + name](c) == LIBC[name](c), c


@pytest.mark.parametrize(("name", "kind"), [("__signbit", ctypes.c_double), ("__signbitf", ctypes.c_float)])
def test_signs_agree(models: ctypes.CDLL, name: str, kind: Any) -> None:
    for value in (0.0, -0.0, 1.5, -1.5, float("inf"), -float("inf"), float("nan")):
        assert bool(models[PREFIX + name](kind(value))) == bool(LIBC[name](kind(value)))


def test_all_signals_agree(models: ctypes.CDLL) -> None:
    sets = [ctypes.create_string_buffer(128) for _ in range(2)]
    assert models[PREFIX + "sigfillset"](sets[0]) == LIBC.sigfillset(sets[1]) == 0
    assert sets[0].raw == sets[1].raw


def test_wide_copies_agree(models: ctypes.CDLL) -> None:
    function = models[PREFIX + "wcsdup"]
    function.restype = ctypes.c_wchar_p
    assert function(ctypes.c_wchar_p("some text")) == "some text"


def test_imaxdiv_agrees(models: ctypes.CDLL) -> None:
    for left, right in ((7, 2), (-7, 2), (7, -2), (2**62, 3)):
        answers = []
        for function in (models[PREFIX + "imaxdiv"], LIBC.imaxdiv):
            function.restype, function.argtypes = LongQuotient, [ctypes.c_long, ctypes.c_long]
            answers.append(bytes(function(left, right)))
        assert answers[0] == answers[1]


@pytest.mark.parametrize(("name", "start", "size", "left", "result"), [
    ("strlcpy", b"", 8, b"text", 4), ("strlcpy", b"", 3, b"te", 4), ("strlcpy", b"xy", 0, b"xy", 4),
    ("strlcat", b"ab", 8, b"abtext", 6), ("strlcat", b"ab", 5, b"abte", 6), ("strlcat", b"abcdef", 3, b"abcdef", 7),
])  # fmt: skip
def test_copies_of_limited_size(
    models: ctypes.CDLL, name: str, start: bytes, size: int, left: bytes, result: int
) -> None:
    """Not in every glibc; as their manual page says."""
    buffer = ctypes.create_string_buffer(start, 16)
    assert models[PREFIX + name](buffer, b"text", ctypes.c_size_t(size)) == result
    assert buffer.value == left


@pytest.mark.parametrize("alignment", [16, 32, 64, 4096])
def test_aligned_blocks(models: ctypes.CDLL, alignment: int) -> None:
    for name in ("aligned_alloc", "memalign"):
        function = models[PREFIX + name]
        function.restype = ctypes.c_void_p
        assert function(ctypes.c_size_t(alignment), ctypes.c_size_t(alignment)) % alignment == 0
    block = ctypes.c_void_p()
    align = models[PREFIX + "posix_memalign"]
    assert align(ctypes.byref(block), ctypes.c_size_t(alignment), ctypes.c_size_t(10)) == 0
    assert block.value and block.value % alignment == 0


def test_alignments_that_are_none(models: ctypes.CDLL) -> None:
    for alignment in (0, 4, 12, 24, 40):
        block = ctypes.c_void_p()
        answers = [
            function(ctypes.byref(block), ctypes.c_size_t(alignment), ctypes.c_size_t(10))
            for function in (models[PREFIX + "posix_memalign"], LIBC.posix_memalign)
        ]
        assert answers[0] == answers[1], alignment


def test_arrays_that_are_too_large_are_refused(models: ctypes.CDLL) -> None:
    function = models[PREFIX + "reallocarray"]
    function.restype = ctypes.c_void_p
    assert function(None, ctypes.c_size_t(2**33), ctypes.c_size_t(2**33)) is None
    assert function(None, ctypes.c_size_t(3), ctypes.c_size_t(4)) is not None


@pytest.mark.parametrize("header", MODEL_FILES, ids=lambda header: header.model)
def test_models_find_the_models_that_they_call(header: Section) -> None:
    """What a file declares of other files is in one that is joined with it."""
    called = set(re.findall(rf"\b{PREFIX}(\w+)\(", header.path.read_text()))
    joined = {name for each in required_models(frozenset(header.names)) for name in each.names}
    assert called <= joined


@pytest.mark.parametrize(("name", "arguments"), [
    ("printf", [b"%d,%s\n", 12, b"text"]), ("puts", [b"text"]), ("putchar", [300]), ("fputs", [b"text", "stdout"]),
    ("fprintf", ["stderr", b"%5d", 7]), ("fputc", [-3, "stdout"]), ("putc", [99, "stderr"]), ("fflush", [None]),
    ("fwrite", [b"text", 2, 2, "stdout"]), ("fwrite", [b"text", 0, 2, "stderr"]), ("fflush", ["stdout"]),
])  # fmt: skip
def test_what_output_answers_agrees(models: ctypes.CDLL, name: str, arguments: Arguments) -> None:
    given = [ctypes.c_void_p.in_dll(LIBC, a) if isinstance(a, str) else a for a in arguments]
    with silence():
        expected = LIBC[name](*given)
        LIBC.fflush(None)
    assert models[PREFIX + name](*given) == expected


@contextmanager
def silence() -> Iterator[None]:
    """What C prints goes nowhere."""
    kept, null = [os.dup(1), os.dup(2)], os.open(os.devnull, os.O_WRONLY)
    for descriptor in (1, 2):
        os.dup2(null, descriptor)
    yield
    for descriptor, old in zip((1, 2), kept, strict=True):
        os.dup2(old, descriptor)


@pytest.mark.parametrize("kind", [None, 0, 1, 2, 3, 4])
def test_mutexes_agree(models: ctypes.CDLL, kind: int | None) -> None:
    """Everything that does not wait for ever, in a random order; a free mutex leaves the same memory."""
    source, sides = random.Random(kind), []
    for _ in range(30):
        deeds = [source.choice(("trylock", "lock", "unlock")) for _ in range(12)]
        for prefix, library in ((PREFIX, models), ("", LIBC)):
            mutex, attributes, said = ctypes.create_string_buffer(40), ctypes.create_string_buffer(4), []
            if kind is not None:
                library[f"{prefix}pthread_mutexattr_init"](attributes)
                said.append(library[f"{prefix}pthread_mutexattr_settype"](attributes, kind))
                said.append(library[f"{prefix}pthread_mutex_init"](mutex, attributes))
            depth = 0
            for deed in deeds:
                is_plain = kind in (None, 0, 3, 4)
                if is_plain and ((deed == "lock" and depth) or (deed == "unlock" and not depth)):
                    continue
                answer = library[f"{prefix}pthread_mutex_{deed}"](mutex)
                depth += {"unlock": -1}.get(deed, 1) if answer == 0 else 0
                said.append((deed, answer, mutex.raw if depth == 0 else b""))
            sides.append(said)
        assert sides[-2] == sides[-1]


def test_once_is_once(models: ctypes.CDLL) -> None:
    called: list[int] = []
    first, state = ctypes.CFUNCTYPE(None)(lambda: called.append(1)), ctypes.c_int(0)
    for _ in range(3):
        assert models[PREFIX + "pthread_once"](ctypes.byref(state), first) == 0
    assert called == [1]
    assert LIBC.pthread_once(ctypes.byref(state), first) == 0
    assert called == [1]
