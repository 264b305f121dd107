"""Functions that share only their name with one of the C library."""

from __future__ import annotations

from pathlib import Path

import pytest

from tightrope.library.libc_models import MODEL_FILES, PREFIX
from tightrope.library.table import Section
from tightrope.program.ir.model import Program
from tightrope.program.ir.read_ir import read_bitcode
from tightrope.source.compile import compile_to_bitcode
from tightrope.source.toolchain import find_compiler
from tightrope.units.build import model_bitcode
from tightrope.units.namesakes import declared_kinds, find_namesakes, modelled_kinds

DECLARED = """
#include <stddef.h>
void error(const char *where, size_t length, const char *format, ...);
char *index(int number);
int read(int file, char *to, int count);
double modf(double, double *);
char *strchr();
int f(void) {
    char room[4];
    error("", 0, "");
    return index(3) == strchr("a", 'a') && read(0, room, 4) && modf(2.5, (double *)room);
}
"""


def program_of(text: str, tmp_path: Path) -> Program:
    file = tmp_path / "unit.c"
    file.write_text(text)
    return read_bitcode(compile_to_bitcode(find_compiler(), file, ("-fno-builtin",)))[0]


def test_other_arguments_make_another_function(tmp_path: Path) -> None:
    """Widths do not count, nor does a function that is declared without its parameters."""
    assert find_namesakes(program_of(DECLARED, tmp_path)) == {"error", "index"}


@pytest.mark.parametrize("header", MODEL_FILES, ids=lambda header: header.model)
def test_the_text_of_a_model_says_what_it_is_compiled_to(header: Section) -> None:
    functions = read_bitcode(model_bitcode(find_compiler(), header))[0].functions
    for name in header.names:
        assert modelled_kinds(name) == declared_kinds(functions[f"@{PREFIX}{name}"].type), name
