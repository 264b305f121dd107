"""Each library model does what the machine's own C library does, on many random inputs.

The models are compiled natively into one shared object and called beside the real functions on
equal memory: results, memory afterwards and errno must agree.
"""

from __future__ import annotations

import ctypes
import platform
import random
import re
import shutil
import struct
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tightrope.execution.libc_models import (
    BY_POINTER,
    EXACT_MATH,
    HARMLESS,
    HEADERS,
    MODELLED,
    NUMERIC,
    PREFIX,
    required_headers,
)

pytestmark = pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="the models follow glibc")

ROUNDS = 600
SIZE = 64  # of every buffer: no call below reaches its end
LIBC = ctypes.CDLL(None, use_errno=True)
LIBM = ctypes.CDLL("libm.so.6")
Arguments = list[Any]


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    folder = tmp_path_factory.mktemp("models")
    heap = folder / "heap.c"
    heap.write_text("#include <stdlib.h>\nvoid *tightrope_malloc(unsigned long n) { return malloc(n); }\n")
    compiler = ["gcc"] if shutil.which("gcc") else [sys.executable, "-m", "ziglang", "cc", "-fno-sanitize=undefined"]
    files = [str(header.file) for header in HEADERS]
    command = [*compiler, "-shared", "-fPIC", "-fno-builtin", "-fwrapv", *files, str(heap), "-o", str(folder / "m.so")]
    subprocess.run(command, check=True)
    return ctypes.CDLL(str(folder / "m.so"))


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


def integer(source: random.Random) -> int:
    return source.choice((0, 1, -1, 7, 2**31 - 1, -(2**31), source.getrandbits(32) - 2**31, 1 << source.randrange(31)))


def long_integer(source: random.Random) -> int:
    return source.choice((integer(source), 2**63 - 1, -(2**63), source.getrandbits(64) - 2**63))


def real(source: random.Random) -> float:
    return source.choice((0.0, -0.0, 0.5, -0.5, 1.5, 2.5, -2.5, 1e6, source.uniform(-1000, 1000), 97.0))


def any_real(source: random.Random) -> float:
    return source.choice((real(source), float("inf"), -float("inf"), float("nan"), 5e-324, 1e308))


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
}  # fmt: skip
CHARACTERS = [name for name in MODELLED if re.fullmatch("(is|to)[a-z]+", name) and MODELLED[name].name == "ctype.h"]


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
    for number, buffer in enumerate(buffers):
        if 0 <= address - ctypes.addressof(buffer) <= SIZE:
            return number, address - ctypes.addressof(buffer)
    return None


def rounds(letters: str) -> Iterator[Arguments]:
    source = random.Random(letters)
    for _ in range(ROUNDS):
        yield [LETTERS[letter][1](source) for letter in letters]


@pytest.mark.parametrize("name", SIGNATURES)
def test_a_model_agrees_with_the_library(models: ctypes.CDLL, name: str) -> None:
    result, letters = SIGNATURES[name]
    model_errno = models[PREFIX + "__errno_location"]
    model_errno.restype = ctypes.POINTER(ctypes.c_int)
    for arguments in rounds(letters):
        ctypes.set_errno(0)
        model_errno()[0] = 0
        expected = call(real_function(name), result, letters, arguments)
        assert call(models[PREFIX + name], result, letters, arguments) == expected, arguments
        if "#" in letters:
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
    for header in HEADERS:
        defined = re.findall(rf"^\w[^;=\n]*\b{PREFIX}(\w+)\([^;]*?\)\s*{{", header.file.read_text(), re.MULTILINE)
        assert sorted(defined) == sorted(header.functions)
    elsewhere = {"div", "ldiv", "lldiv", "qsort", "bsearch", "strtok", "strtok_r", "strsep", "__errno_location"}
    untested = set(MODELLED) - set(SIGNATURES) - set(CHARACTERS) - elsewhere - BY_POINTER
    assert {name for name in untested if not name.startswith(("__ctype_", "__isoc23_"))} == set()


def test_a_name_is_in_one_table_only() -> None:
    tables = [frozenset(MODELLED), HARMLESS, NUMERIC, frozenset(EXACT_MATH)]
    assert sum(len(table) for table in tables) == len(frozenset().union(*tables))


def test_required_headers_follow_calls_between_models() -> None:
    assert [h.name for h in required_headers(frozenset({"atoi", "printf"}))] == ["errno.h", "stdlib.h"]
    assert [h.name for h in required_headers(frozenset({"bzero"}))] == ["string.h", "strings.h"]
