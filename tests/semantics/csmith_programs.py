"""Programs of csmith, where it is installed (Debian: csmith and libcsmith-dev), as functions of an input.

csmith writes closed programs: `main` computes from initialised globals and prints a checksum. Here `main` becomes
`target`, which sets the globals again, changes some of them by its parameters, and returns the checksum.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from c_kinds import UNSIGNED_LONG
from random_programs import Parameter, RandomProgram

HEADERS = Path("/usr/include/csmith")
FLAGS = f"-I{HEADERS}"
OPTIONS = ("--no-volatiles", "--no-volatile-pointers", "--no-consts", "--no-const-pointers", "--no-packed-struct",
           "--no-argc", "--concise", "--max-funcs", "4", "--max-block-depth", "3", "--max-expr-complexity", "6")  # fmt: skip
NAMES = ("p", "q", "r")

_GLOBAL = re.compile(r"^static (?P<type>[^=;]*?)(?P<name>g_\d+)(?P<sizes>(?:\[\d+\])*) = (?P<value>.*);$", re.MULTILINE)
_HEAD = """#include <stdint.h>
#include <string.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include "random_inc.h"
#define transparent_crc(value, name, flag) (checksum = checksum * 31 + (uint64_t)(value))
#define transparent_crc_bytes(at, size, name, flag) ((void)0)
"""


def is_installed() -> bool:
    return shutil.which("csmith") is not None and (HEADERS / "random_inc.h").exists()


def csmith_program(seed: int) -> RandomProgram:
    words = ["csmith", "--seed", str(seed), *OPTIONS, *(["--float"] if seed % 3 == 0 else [])]
    with tempfile.TemporaryDirectory() as folder:  # csmith leaves a file platform.info where it runs
        text = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=True).stdout
    found = list(_GLOBAL.finditer(text))
    initial = "\n".join(f"static {m['type']}const initial_{m['name']}{m['sizes']} = {m['value']};" for m in found)
    start = [f"memcpy(&{m['name']}, &initial_{m['name']}, sizeof {m['name']});" for m in found]
    start += [f"{m['name']} ^= {name};" for m, name in zip(filter(_is_scalar, found), NAMES * 2, strict=False)]
    signature = ", ".join(f"unsigned long {name}" for name in NAMES)
    before, after = text.split("int main (void)\n{\n")
    after = after.replace("platform_main_begin();", "").replace("crc32_gentab();", "")
    after = re.sub(r"platform_main_end\(.*\);", "return checksum;", after)
    body = "{\n    unsigned long checksum = 0;\n    " + "\n    ".join(start) + "\n"
    before = before.replace('#include "csmith.h"', _HEAD)
    whole = f"{before}{initial}\nunsigned long target({signature})\n{body}{after}"
    parameters = tuple(Parameter(name, UNSIGNED_LONG) for name in NAMES)
    return RandomProgram(seed, whole, "target", parameters, UNSIGNED_LONG, may_trap=False)


def _is_scalar(found: re.Match[str]) -> bool:
    return re.fullmatch(r"u?int\d+_t ", found["type"]) is not None and not found["sizes"]
