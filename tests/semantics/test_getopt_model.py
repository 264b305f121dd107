"""The model of getopt() and its kin answers as the library does, word for word of many command lines."""

from __future__ import annotations

import ctypes
import platform
import random
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tightrope.library.libc_models import PREFIX
from tightrope.library.table import MODELS

pytestmark = pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="the model follows glibc")

LETTERS = [b"ab:c", b"+ab:c", b"-ab:c::", b":ab:c", b"+:ab:", b"a::b", b"", b":"]
WORDS = b"""-a -b -c -- - x y -ab -bfoo -cfoo -abc -z -ax -all -beta -gam
    --all --al --al=3 --beta=2 --beta --be --gamma --gam=1 --zzz --b --alto""".split()
OPTIONS = [(b"all", 0, "A"), (b"alto", 0, "A"), (b"beta", 1, "B"), (b"gamma", 2, ""), (b"best", 0, "Q")]


class Option(ctypes.Structure):
    _fields_ = (
        ("name", ctypes.c_char_p), ("has_arg", ctypes.c_int), ("flag", ctypes.POINTER(ctypes.c_int)), ("val", ctypes.c_int),
    )  # fmt: skip


class Side:
    """The library's functions, or the models, with the variables that belong to them."""

    def __init__(self, library: ctypes.CDLL, prefix: str) -> None:
        self.calls = [library[prefix + name] for name in ("getopt", "getopt_long", "getopt_long_only")]
        self.optind, self.optopt, self.opterr = (ctypes.c_int.in_dll(library, f"opt{n}") for n in ("ind", "opt", "err"))
        self.optarg = ctypes.c_char_p.in_dll(library, "optarg")
        self.flag, self.index = ctypes.c_int(0), ctypes.c_int(-5)
        rows = [Option(n, a, None if v else ctypes.pointer(self.flag), ord(v) if v else 7) for n, a, v in OPTIONS]
        self.options = (Option * (len(rows) + 1))(*rows)

    def answers(self, which: int, words: list[bytes], letters: bytes) -> list[object]:
        """What it says until it ends, and the order of words afterwards."""
        line = (ctypes.c_char_p * (len(words) + 1))(*words, None)
        self.optind.value, self.opterr.value, self.flag.value, self.index.value = 0, 0, 0, -5
        further = (self.options, ctypes.byref(self.index)) if which else ()
        told: list[object] = []
        for _ in range(9):
            answer = self.calls[which](len(words), line, letters, *further)
            wrong = self.optopt.value if answer in (ord("?"), ord(":")) else None
            told.append((answer, self.optind.value, self.optarg.value, wrong, self.flag.value, self.index.value))
            if answer == -1:
                break
        return [*told, list(line)]


@pytest.fixture(scope="module")
def sides(tmp_path_factory: pytest.TempPathFactory) -> tuple[Side, Side]:
    made: Path = tmp_path_factory.mktemp("getopt") / "m.so"
    compiler = ["gcc"] if shutil.which("gcc") else [sys.executable, "-m", "ziglang", "cc", "-fno-sanitize=undefined"]
    strings = made.with_name("strings.c")
    strings.write_text(
        "#include <string.h>\n"
        "int tightrope_model_strcmp(const char *a, const char *b) { return strcmp(a, b); }\n"
        "int tightrope_model_strncmp(const char *a, const char *b, size_t n) { return strncmp(a, b, n); }\n"
        "size_t tightrope_model_strlen(const char *s) { return strlen(s); }\n"
        "size_t tightrope_model_strcspn(const char *s, const char *t) { return strcspn(s, t); }\n"
        "char *tightrope_model_strchr(const char *s, int c) { return strchr(s, c); }\n"
    )
    words = ["-shared", "-fPIC", "-w", "-Wl,-Bsymbolic", str(MODELS / "getopt.c"), str(strings)]
    subprocess.run([*compiler, *words, "-o", str(made)], check=True)
    return Side(ctypes.CDLL(str(made)), PREFIX), Side(ctypes.CDLL(None), "")


@pytest.mark.parametrize("which", range(3), ids=["getopt", "getopt_long", "getopt_long_only"])
def test_it_reads_command_lines_as_the_library_does(sides: tuple[Side, Side], which: int) -> None:
    model, library = sides
    source = random.Random(which)
    for _ in range(3000):
        words = [b"program", *(source.choice(WORDS) for _ in range(source.randrange(6)))]
        letters = source.choice(LETTERS)
        assert model.answers(which, words, letters) == library.answers(which, words, letters), (words, letters)
