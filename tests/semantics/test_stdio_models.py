"""The models that read standard input do what the machine's own C library does, on random texts and random calls."""

from __future__ import annotations

import platform
import random
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tightrope.library.libc_models import required_models

pytestmark = pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="the models follow glibc")

SCRIPT = Path(__file__).parent / "stdio_script.c"
ROUNDS = 250
TEXTS = (
    b"abc7\n", b"12", b"-7", b"+", b"0x1f", b"0X", b"077", b"08", b" ", b"\n", b"\t", b"%", b",", b"]", b"x", b"\0", b"\xff",
    b"99999999999999999999", b"-9223372036854775809", b"4294967296", b"1.5", b".5e1", b"7", b"ca", b"inf", b"NaN", b"e-",
)  # fmt: skip
LETTERS = "cuegGrpRlLdDhixXowsSkbBm%EfF0"


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """One that calls the library, one that calls the models."""
    folder = tmp_path_factory.mktemp("stdio")
    compiler = ["gcc"] if shutil.which("gcc") else [sys.executable, "-m", "ziglang", "cc", "-fno-sanitize=undefined"]
    library, models = folder / "library", folder / "models"
    plain = [*compiler, "-w", "-std=gnu11", "-fno-builtin"]
    subprocess.run([*plain, SCRIPT, "-o", library], check=True)
    files = [header.path for header in required_models(frozenset({"scanf"}))]
    subprocess.run([*plain, "-DMODELS", SCRIPT, *files, "-o", models], check=True)
    return library, models


def run(program: Path, script: str, text: Path) -> bytes:
    with text.open("rb") as stream:
        return subprocess.run([program, script], stdin=stream, capture_output=True, check=True, timeout=10).stdout


def test_models_and_library_read_the_same(programs: tuple[Path, Path], tmp_path: Path) -> None:
    source = random.Random("stdin")
    file = tmp_path / "text"
    for _ in range(ROUNDS):
        text = b"".join(source.choice(TEXTS) for _ in range(source.randrange(6)))
        script = "".join(source.choice(LETTERS) for _ in range(source.randrange(1, 7)))
        file.write_bytes(text)
        expected, found = (run(program, script, file) for program in programs)
        assert found == expected, (text, script)


@pytest.mark.parametrize(
    "text", [b"1.5", b"-2e3 ", b"x", b"", b".25,", b"1e400", b"0x1.8p1x", b"infinix", b"-inf", b"nano", b"1e+", b"."]
)
def test_reals(programs: tuple[Path, Path], tmp_path: Path, text: bytes) -> None:
    file = tmp_path / "text"
    file.write_bytes(text)
    for script in ("fce", "Fcec", "0ccc"):
        expected, found = (run(program, script, file) for program in programs)
        assert found == expected, script


@pytest.mark.parametrize("text", [b"", b"a", b"ab\n"])
def test_standard_input_opened_by_its_name(programs: tuple[Path, Path], tmp_path: Path, text: bytes) -> None:
    file = tmp_path / "text"
    file.write_bytes(text)
    expected, found = (run(program, "NOnnn", file) for program in programs)
    assert found == expected
