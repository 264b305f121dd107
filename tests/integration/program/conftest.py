"""Compiling small C with the bundled compiler, as Tightrope does."""

import subprocess

import pytest

from tightrope.source.toolchain import find_compiler

FLAGS = (
    "-O0 -g -mcpu=baseline -fwrapv -fno-strict-aliasing -fno-sanitize=undefined -Xclang -disable-O0-optnone"
    " -fno-discard-value-names -fno-stack-protector -ffp-contract=off -w -emit-llvm -c"
).split()


@pytest.fixture(scope="session")
def compile_c(tmp_path_factory):
    """A function from C text (and more flags) to bitcode; the file is called unit.c."""
    made = {}

    def compile_text(text, *flags):
        if (text, flags) not in made:
            folder = tmp_path_factory.mktemp("c")
            (folder / "unit.c").write_text(text)
            command = [*find_compiler(environment={}).command, *FLAGS, *flags, "unit.c", "-o", "unit.bc"]
            subprocess.run(command, cwd=folder, check=True, capture_output=True)
            made[text, flags] = (folder / "unit.bc").read_bytes()
        return made[text, flags]

    return compile_text
