"""What a module defines and needs, and what is left of it when only a part is kept."""

from __future__ import annotations

import pytest

from tightrope.program.ir.linked_programs import read_outline
from tightrope.program.ir.read_ir import normalise, prune, read_program
from tightrope.source.compile import compile_to_bitcode
from tightrope.source.toolchain import find_compiler

MODULE = """
extern int outside;
int away(int);
int table[3] = {1, 2, 3};
static int own;
static int helper(int x) { own += x; return own + outside; }
int used(int x) { return helper(x) + table[0]; }
int unused(int x) { return away(x); }
int (*through)(int) = unused;
"""


@pytest.fixture(scope="module")
def bitcode() -> bytes:
    return compile_to_bitcode(find_compiler(), MODULE)


def test_an_outline(bitcode: bytes):
    outline = read_outline(bitcode)
    assert outline.defined == {"@table", "@used", "@unused", "@through"}
    assert set(outline.declared.functions) == {"@away"}
    assert not outline.declared.globals["@outside"].is_defined
    assert outline.declared.globals["@own"].is_internal


def test_only_what_is_needed_is_kept(bitcode: bytes):
    raw, normal = normalise(prune(bitcode, {"used"}))
    program = read_program(normal, raw)
    assert {name for name, one in program.functions.items() if one.is_defined} == {"@used", "@helper"}
    assert {"@table", "@own", "@outside"} == set(program.globals)
    assert "@away" not in program.functions


def test_a_pointer_keeps_its_function(bitcode: bytes):
    raw, normal = normalise(prune(bitcode, {"through"}))
    assert read_program(normal, raw).functions["@unused"].is_defined
