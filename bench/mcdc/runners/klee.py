"""KLEE: all tests of its paths. `KLEE` in the environment says how it is called, `KLEE_CLANG` which clang writes
bitcode for it.

Written from KLEE's documentation and tested with a stand-in that writes the files of its format; **not run** where the
results of this repository come from.
"""

from __future__ import annotations

import os
import shlex
import shutil
import struct
from collections.abc import Iterator
from pathlib import Path

from bench.mcdc.runners.byte_inputs import build_printer, need_clang, print_inputs
from bench.mcdc.runners.contract import (
    FoundTests,
    NotInstalledError,
    call,
    own_processor_time,
    run_as_command,
    slowness,
    watch,
)
from bench.mcdc.subjects import FunctionUnderTest, harness

# an object is symbolic as a whole: a member gets the value of one
MACROS = """
void klee_make_symbolic(void *at, __SIZE_TYPE__ size, const char *name);
void klee_assume(__UINTPTR_TYPE__ condition);
#define IS_BOOLEAN(type) ((type)2 == (type)1)
#define INPUT(lvalue, name) do { \\
        __typeof__(lvalue) any; \\
        klee_make_symbolic(&any, sizeof any, name); \\
        if (IS_BOOLEAN(__typeof__(lvalue))) \\
            klee_assume(*(unsigned char *)&any <= 1); \\
        lvalue = any; \\
    } while (0)
#define ASSUME(condition) klee_assume(!!(condition))
"""
BITCODE = ("-emit-llvm", "-c", "-g", "-O0", "-w", "-fwrapv", "-fno-strict-aliasing", "-Xclang", "-disable-O0-optnone")


def find(subject: FunctionUnderTest, seconds: float, folder: Path) -> FoundTests:
    command = shlex.split(os.environ.get("KLEE", "")) or [shutil.which("klee") or ""]
    if not command[0]:
        raise NotInstalledError("klee is not installed (or set KLEE to its command)")
    need_clang()
    clang = os.environ.get("KLEE_CLANG") or shutil.which("clang") or "clang-19"
    version = " ".join(call([*command, "--version"], folder, 20, may_fail=True).split("\n")[0].split()[:2])
    start = own_processor_time()
    (folder / "harness.c").write_text(
        f"{MACROS}{harness(subject)}\nint main(void)\n{{\n    subject();\n    return 0;\n}}\n"
    )
    call([clang, *BITCODE, *subject.flags, "harness.c", "-o", "harness.bc"], folder, 60)
    spent = own_processor_time() - start
    left = max(0.1, seconds - spent)
    words = [*command, f"--max-time={max(1, round(left * slowness()))}s", "--output-dir=klee-out", "harness.bc"]
    watched = watch(words, folder, left, may_fail=True)
    files = sorted((folder / "klee-out").glob("*.ktest"))
    moments = [spent + watched.processor_at(file.stat().st_mtime) for file in files]
    plain = [_as_bytes(subject, file, folder) for file in files]
    inputs = print_inputs(build_printer(subject, folder / "printer"), plain)
    tests = [{"seconds": round(at, 3), "inputs": each} for at, each in zip(moments, inputs, strict=True)]
    return FoundTests(version or "KLEE", tests, is_anytime=True)


def _as_bytes(subject: FunctionUnderTest, file: Path, folder: Path) -> Path:
    """The inputs one after the other. What a path does not reach is zero, as it is for the judge."""
    objects = dict(read_ktest(file.read_bytes()))
    plain = folder / f"{file.stem}.bytes"
    # inputs are made symbolic in their order: those that are there come first
    plain.write_bytes(b"".join(objects[leaf] for leaf in subject.leaves if leaf in objects))
    return plain


def read_ktest(content: bytes) -> Iterator[tuple[str, bytes]]:
    """Name and bytes of each object. Format: `KTEST`, version, arguments, two numbers since version 2, objects; numbers
    have four bytes, the highest first."""
    if content[:5] not in (b"KTEST", b"BOUT\n"):
        raise ValueError("no file of KLEE: it does not start with KTEST")
    place = 5

    def number() -> int:
        nonlocal place
        place += 4
        return int(struct.unpack(">I", content[place - 4 : place])[0])

    def text() -> bytes:
        nonlocal place
        size = number()
        place += size
        return content[place - size : place]

    version = number()
    for _ in range(number()):
        text()
    if version >= 2:
        number()
        number()
    for _ in range(number()):
        name = text().rstrip(b"\0").decode()
        yield name, text()


if __name__ == "__main__":
    run_as_command(find)
