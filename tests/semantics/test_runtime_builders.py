"""The runtime's builders of expressions simplify on the way: what they build means what was asked for.

nodes.c and simplify.c are compiled into a shared object. Random expressions are built there and, without any rule, as
terms; both are evaluated on random inputs. What the runtime claims to know of an expression is checked on the way.
"""

from __future__ import annotations

import ctypes
import random
import shutil
import subprocess
import sys

import pytest

from tightrope.expr.evaluate import evaluate
from tightrope.expr.operators import Op
from tightrope.expr.show import show
from tightrope.expr.terms import Term, TermTable
from tightrope.search.decode import Decoder
from tightrope.units.build import RUNTIME
from tightrope.weaving.probes import operator_flags

HARNESS = """
#include <stdlib.h>
#include "nodes.c"
#include "simplify.c"
/* Nothing here is unwritten or an address. */
u64 dependent_part(const node *n, const u64 *of) { return 0; }
int is_unwritten(u32 e) { return 0; }
int depends_on_address(u32 e) { return 0; }
static u32 distance_in_object(u32 a, u32 b) { return 0; }
static u32 mark_address(u32 op, u32 e, u64 bits) { return 0; }
static void strip_same_object(u32 *a, u32 *b) {}
static control the_control;
control *tr_control = &the_control;
void *tr_allocate(size_t bytes) { return calloc(1, bytes); }
void start(unsigned capacity)
{
  the_control.nodes_capacity = capacity;
  the_control.nodes = 1;
  tr_nodes = calloc(capacity, sizeof(node));
  bucket_mask = (1u << 18) - 1;
  buckets = calloc(bucket_mask + 1, 4);
  nodes_start();
}
unsigned count_nodes(void) { return the_control.nodes; }
"""
BINARY = (Op.ADD, Op.SUB, Op.MUL, Op.AND, Op.OR, Op.XOR, Op.SHL, Op.LSHR, Op.ASHR, Op.UDIV, Op.UREM, Op.SDIV, Op.SREM)
COMPARISONS = (Op.EQ, Op.ULT, Op.ULE, Op.SLT, Op.SLE)
WIDTHS = (1, 2, 3, 7, 8, 8, 9, 16, 16, 24, 31, 32, 32, 33, 48, 63, 64, 64)
SLOTS = dict(enumerate((1, 3, 8, 8, 16, 17, 32, 32, 64, 64)))


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    folder = tmp_path_factory.mktemp("builders")
    (folder / "harness.c").write_text(HARNESS)
    compiler = ["gcc"] if shutil.which("gcc") else [sys.executable, "-m", "ziglang", "cc"]
    words = [
        *compiler,
        "-O1",
        "-shared",
        "-fPIC",
        f"-I{RUNTIME}",
        "-DTIGHTROPE_OPEN",
        *operator_flags(),
        "-x",
        "c",
        "harness.c",
        "-o",
        "b.so",
    ]
    subprocess.run(words, check=True, cwd=folder)
    loaded = ctypes.CDLL(str(folder / "b.so"))
    loaded.upper_bound.restype = ctypes.c_uint64
    loaded.start(1 << 17)
    return loaded


class Pair:
    """The same expression twice: as the runtime built it and as it was asked for."""

    def __init__(self, node: int, term: Term) -> None:
        self.node, self.term = node, term

    @property
    def bits(self) -> int:
        return self.term.bits


class Builder:
    def __init__(self, library: ctypes.CDLL, source: random.Random) -> None:
        self.library, self.random, self.table = library, source, TermTable()
        self.pool = [self.input(slot) for slot in SLOTS]

    def input(self, slot: int) -> Pair:
        node = self.library.make_node(int(Op.INPUT), SLOTS[slot], 0, 0, 0, 0, ctypes.c_uint64(slot))
        return Pair(node, self.table.input(slot, SLOTS[slot]))

    def constant(self, bits: int) -> Pair:
        power = 1 << self.random.randrange(bits)
        value = self.random.choice((0, 1, -1, 2, power, power - 1, -power, self.random.getrandbits(bits))) % (1 << bits)
        return Pair(self.library.make_constant(bits, 0, ctypes.c_uint64(value)), self.table.constant(value, bits))

    def operand(self, bits: int = 0) -> Pair:
        """One of the pool, made as wide as asked for; now and then a constant."""
        if bits and self.random.random() < 0.3:
            return self.constant(bits)
        one = self.random.choice(self.pool[-12:] if self.random.random() < 0.5 else self.pool)
        return one if not bits or one.bits == bits else self.resized(one, bits)

    def resized(self, one: Pair, bits: int) -> Pair:
        if bits < one.bits:
            low = self.random.choice((0, 0, one.bits - bits, self.random.randrange(one.bits - bits + 1)))
            return self.extract(one, low, bits)
        op = self.random.choice((Op.ZERO_EXTEND, Op.SIGN_EXTEND))
        return Pair(self.library.build_extend(int(op), one.node, bits), self.table.make(op, bits, (one.term,)))

    def extract(self, one: Pair, low: int, bits: int) -> Pair:
        return Pair(
            self.library.build_extract(one.node, low, bits), self.table.make(Op.EXTRACT, bits, (one.term,), low)
        )

    def grow(self) -> Pair:
        made = self.random.choice(
            (self.binary, self.binary, self.compare, self.compare, self.resize, self.concat, self.flip, self.choose)
        )()
        self.pool.append(made)
        return made

    def binary(self) -> Pair:
        op, left = self.random.choice(BINARY), self.operand(self.random.choice(WIDTHS))
        right = left if self.random.random() < 0.1 else self.operand(left.bits)
        node = self.library.build_binary(int(op), left.bits, left.node, right.node)
        return Pair(node, self.table.make(op, left.bits, (left.term, right.term)))

    def compare(self) -> Pair:
        op, left = self.random.choice(COMPARISONS), self.operand()
        right = left if self.random.random() < 0.1 else self.operand(left.bits)
        if self.random.random() < 0.5:
            left, right = right, left
        return Pair(
            self.library.build_compare(int(op), left.node, right.node), self.table.make(op, 1, (left.term, right.term))
        )

    def resize(self) -> Pair:
        return self.resized(self.operand(), self.random.choice(WIDTHS))

    def concat(self) -> Pair:
        low = self.operand(self.random.choice((1, 7, 8, 8, 16, 24)))
        high = self.operand(self.random.choice((8, 16, 40)))
        if self.random.random() < 0.3:  # the neighbour of the low part
            whole = self.operand(64)
            low, high = self.extract(whole, 8, 8), self.extract(whole, 16, 24)
        bits = low.bits + high.bits
        return Pair(
            self.library.build_concat(high.node, low.node), self.table.make(Op.CONCAT, bits, (high.term, low.term))
        )

    def flip(self) -> Pair:
        one = self.operand()
        return Pair(self.library.build_not(one.node), self.table.make(Op.NOT, one.bits, (one.term,)))

    def choose(self) -> Pair:
        condition, left = self.operand(1), self.operand()
        right = self.operand(left.bits)
        node = self.library.build_ite(condition.node, left.node, right.node)
        return Pair(node, self.table.make(Op.ITE, left.bits, (condition.term, left.term, right.term)))


def read_nodes(library: ctypes.CDLL) -> bytes:
    return ctypes.string_at(ctypes.c_void_p.in_dll(library, "tr_nodes").value, 24 * library.count_nodes())


def decode(library: ctypes.CDLL, table: TermTable) -> list[Term]:
    rows = read_nodes(library)
    decoder = Decoder(table, lambda start, end: rows[24 * start : 24 * end])
    decoder._decode_nodes(library.count_nodes())
    return decoder._terms


@pytest.mark.parametrize("seed", range(6))
def test_what_is_built_means_what_was_asked_for(library: ctypes.CDLL, seed: int) -> None:
    builder = Builder(library, random.Random(seed))
    made = [builder.grow() for _ in range(200)]
    terms = decode(library, builder.table)
    inputs = [tuple(builder.constant(bits).term.number for bits in SLOTS.values()) for _ in range(16)]
    for one in made:
        built = terms[one.node]
        values = [evaluate(built, each) for each in inputs]
        assert values == [evaluate(one.term, each) for each in inputs], f"{show(one.term)} was built as {show(built)}"
        assert max(values) <= library.upper_bound(one.node), show(built)
        known = (1 << library.known_low_bits(one.node)) - 1
        assert len({value & known for value in values}) == 1, show(built)
