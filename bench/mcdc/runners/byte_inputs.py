"""For tools that give bytes (random values, libFuzzer, KLEE): C that turns bytes into inputs, and inputs into JSON.

Each input takes `sizeof` bytes, one after the other, in the order of the description.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

from bench.mcdc.runners.contract import NotInstalledError, call
from bench.mcdc.subjects import FunctionUnderTest, harness

HERE = Path(__file__).parent
CLANG = "clang-19"
_FLAGS = ("-w", "-g", "-fwrapv", "-fno-strict-aliasing")
LINK = ("-no-pie", "-Wl,--unresolved-symbols=ignore-all", "-lm")
MACROS = """
void byte_input(void *at, unsigned size, int is_real, int is_signed, int is_boolean, const char *name);
extern int byte_rejected, byte_only_prints, byte_passed;
#define IS_REAL(type) ((type)0.5 == 0.5)
#define IS_SIGNED(type) ((type)-1 < (type)0)
#define IS_BOOLEAN(type) ((type)2 == (type)1)
#define KIND(type) sizeof(type), IS_REAL(type), IS_SIGNED(type), IS_BOOLEAN(type)
#define INPUT(lvalue, name) byte_input(&(lvalue), KIND(__typeof__(lvalue)), name)
#define ASSUME(condition) do { if (!(condition)) { byte_rejected = 1; return; } byte_passed++; } while (0)
#define BEFORE_CALL if (byte_only_prints) return
"""


def need_clang() -> None:
    if shutil.which(CLANG) is None:
        raise NotInstalledError(f"{CLANG} is not installed")


def compile_harness(subject: FunctionUnderTest, folder: Path, *flags: str) -> str:
    """An object file with `void byte_subject(void)`."""
    (folder / "harness.c").write_text(f"{MACROS}{harness(subject)}\nvoid byte_subject(void)\n{{\n    subject();\n}}\n")
    call([CLANG, *_FLAGS, *flags, *subject.flags, "-c", "harness.c", "-o", "harness.o"], folder, 60)
    return "harness.o"


def build_printer(subject: FunctionUnderTest, folder: Path) -> Path:
    """A program that prints the inputs in files of bytes, as lines of JSON."""
    folder.mkdir(exist_ok=True)
    harness_object = compile_harness(subject, folder, "-O0")
    call([CLANG, "-O1", "-w", str(HERE / "byte_inputs.c"), harness_object, *LINK, "-o", "printer"], folder, 60)
    return folder / "printer"


def print_inputs(printer: Path, files: list[Path]) -> list[dict[str, Any]]:
    found = []
    for start in range(0, len(files), 500):
        part = [str(file) for file in files[start : start + 500]]
        found += call([str(printer), *part], printer.parent, 120).splitlines()
    return [json.loads(line) for line in found]
