"""CBMC: bounded model checking with `--cover mcdc`. `CBMC` in the environment says how it is called."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import struct
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from bench.mcdc.runners.contract import FoundTests, NotInstalledError, call, run_as_command
from bench.mcdc.subjects import FunctionUnderTest, harness

# a _Bool that is neither 0 nor 1 would be equal to nothing
MACROS = """
#define IS_BOOLEAN(type) ((type)2 == (type)1)
#define INPUT(lvalue, name) do { \\
        __typeof__(lvalue) any; \\
        __CPROVER_assume(!IS_BOOLEAN(__typeof__(lvalue)) || *(unsigned char *)&any <= 1); \\
        lvalue = any; \\
        __CPROVER_input(name, lvalue); \\
    } while (0)
#define ASSUME(condition) __CPROVER_assume(condition)
"""
WORDS = ("--cover", "mcdc", "--show-test-suite", "--json-ui", "--no-unwinding-assertions", "--no-standard-checks")
CLASSES = (
    "-D",
    "__NO_CTYPE",
)  # isdigit and others as functions, which CBMC knows, not as glibc's table, which it does not

_HEAD = "static void subject(void)\n{\n"
_SIGNED = ("signed", "char", "short", "int", "long", "__int")  # how CBMC calls such types


def find(subject: FunctionUnderTest, seconds: float, folder: Path) -> FoundTests:
    command = shlex.split(os.environ.get("CBMC", "")) or [shutil.which("cbmc") or ""]
    if not command[0]:
        raise NotInstalledError("cbmc is not installed (Debian has a package; or set CBMC to its command)")
    version = call([*command, "--version"], folder, 20).split(" ")[0].strip()
    file = folder / "harness.c"
    text = harness(subject).replace(_HEAD, f"{_HEAD}    __CPROVER_HIDE:;\n")  # its own decisions are no goals
    file.write_text(f"{MACROS}{text}\nint main(void)\n{{\n    subject();\n    return 0;\n}}\n")
    words = [*command, str(file), *WORDS, "--unwind", str(subject.unwind), *CLASSES, *subject.flags]
    said = call(words, folder, seconds, may_fail=True)
    return FoundTests(f"CBMC {version}", list(_tests(said)))


def _tests(said: str) -> Iterator[dict[str, Any]]:
    """None where it was stopped: it prints tests at its end."""
    try:
        parts = json.loads(said)
    except ValueError:
        return
    for part in parts:
        for test in part.get("tests", ()):
            yield {"inputs": {each["id"]: _value(each["value"]) for each in test["inputs"]}}


def _value(value: Mapping[str, Any]) -> int | str:
    """From the bits: what is printed beside them may be a name or a character."""
    if value["name"] == "float":
        bits = int(value["binary"], 2).to_bytes(value["width"] // 8, "big")
        return _real(bits)
    bits_read = int(value["binary"], 2)
    if value.get("type") == "_Bool":
        return int(bits_read != 0)
    kind = value["type"].replace("const ", "").replace("volatile ", "")
    is_negative = kind.startswith(_SIGNED) and bits_read >> (value["width"] - 1)
    return bits_read - (1 << value["width"]) if is_negative else bits_read


def _real(bits: bytes) -> str:
    (number,) = struct.unpack(">d" if len(bits) == 8 else ">f", bits)
    return float(number).hex() if number == number and abs(number) != float("inf") else str(number)


if __name__ == "__main__":
    run_as_command(find)
