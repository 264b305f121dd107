"""What `encoding/numbers.py` says that instructions and calls on numbers compute, against the machine.

Each case is one instruction. LLVM compiles all of them into one library; each is run on corner and random operands, and
its terms are evaluated on the same, once with inputs as operands and once with constants (which must fold).
"""

from __future__ import annotations

import ctypes
import random
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product

import llvmlite.binding as llvm
import pytest
from term_strategies import CORNERS

from tightrope.encoding import floats
from tightrope.encoding.numbers import Computed, compute, compute_call
from tightrope.expr import ieee
from tightrope.expr.evaluate import evaluate, signed
from tightrope.expr.operators import Op
from tightrope.expr.terms import Term, TermTable
from tightrope.program.ir.model import Instruction, Value
from tightrope.program.ir.read_instruction import read_instruction
from tightrope.weaving.weave_function import constant_bits

ROWS = 40
INTEGERS = ("i8", "i16", "i32", "i64")
FLOATS = ("float", "double")
BITS = {"float": 32, "double": 64, **{f"i{bits}": bits for bits in range(1, 65)}}


@dataclass(frozen=True)
class Case:
    text: str  # of the instruction, with its operands %a, %b, %c
    kinds: tuple[str, ...]  # of the operands
    results: tuple[str, ...]  # of the scalar leaves
    native: str = ""  # what is run for it, where that is something else
    knows_least: float = 1.0  # share of the rows on which the value is known, at least

    @property
    def instruction(self) -> Instruction:
        return read_instruction(self.text, None, {})

    def computed(self, table: TermTable, operands: Sequence[Term]) -> Computed | None:
        instruction = self.instruction
        if instruction.opcode != "call":
            return compute(table, instruction, [*operands, *constants(table, instruction.operands)])
        given = [*operands, *constants(table, [each.value for each in instruction.arguments])]
        return compute_call(table, instruction.callee, instruction, given)


def constants(table: TermTable, values: Sequence[Value]) -> list[Term]:
    """Those of the operands that are constants: they stand behind the others."""
    written = [value for value in values if not value.is_local]
    return [table.constant(constant_bits(value) or 0, BITS[str(value.type)]) for value in written]


# -- the cases


def binary_cases() -> Iterator[Case]:
    for kind in (*INTEGERS, "i1", "i7", "i33"):
        for opcode in ("add", "sub", "mul", "and", "or", "xor", "udiv", "sdiv", "urem", "srem"):
            yield Case(f"%r = {opcode} {kind} %a, %b", (kind, kind), (kind,))
    for kind, opcode in product(INTEGERS, ("shl", "lshr", "ashr")):
        masked = f"%m = and {kind} %b, {BITS[kind] - 1}\n  %r = {opcode} {kind} %a, %m"
        yield Case(f"%r = {opcode} {kind} %a, %b", (kind, kind), (kind,), masked)
        yield Case(f"%r = {opcode} {kind} %a, 3", (kind,), (kind,))
        yield Case(f"%r = {opcode} i33 %a, %b", ("i33", "i33"), ("i33",), knows_least=0.05)
    for kind, predicate in product((*INTEGERS, "i1"), "eq ne ugt uge ult ule sgt sge slt sle".split()):
        yield Case(f"%r = icmp {predicate} {kind} %a, %b", (kind, kind), ("i1",))


def cast_cases() -> Iterator[Case]:
    for one, other in product((*INTEGERS, "i1", "i33"), repeat=2):
        if BITS[one] < BITS[other]:
            yield Case(f"%r = zext {one} %a to {other}", (one,), (other,))
            yield Case(f"%r = sext {one} %a to {other}", (one,), (other,))
            yield Case(f"%r = trunc {other} %a to {one}", (other,), (one,))
    for integer, kind in product((*INTEGERS, "i1"), FLOATS):
        for opcode in ("sitofp", "uitofp"):
            yield Case(f"%r = {opcode} {integer} %a to {kind}", (integer,), (kind,))
        if integer != "i1":
            for opcode in ("fptosi", "fptoui"):
                yield Case(f"%r = {opcode} {kind} %a to {integer}", (kind,), (integer,), knows_least=0.1)
    yield Case("%r = fpext float %a to double", ("float",), ("double",))
    yield Case("%r = fptrunc double %a to float", ("double",), ("float",))
    for kind, integer in (("float", "i32"), ("double", "i64")):
        yield Case(f"%r = bitcast {kind} %a to {integer}", (kind,), (integer,))
        yield Case(f"%r = bitcast {integer} %a to {kind}", (integer,), (kind,))
    for kind in ("i32", "double"):
        yield Case(f"%r = freeze {kind} %a", (kind,), (kind,))


def float_cases() -> Iterator[Case]:
    for kind in FLOATS:
        for opcode in ("fadd", "fsub", "fmul", "fdiv"):
            yield Case(f"%r = {opcode} {kind} %a, %b", (kind, kind), (kind,))
        yield Case(f"%r = fneg {kind} %a", (kind,), (kind,))
        for predicate in "oeq ogt oge olt ole one ord ueq ugt uge ult ule une uno".split():
            yield Case(f"%r = fcmp {predicate} {kind} %a, %b", (kind, kind), ("i1",))


def integer_calls() -> Iterator[Case]:
    for kind in INTEGERS:
        one, two, three = f"{kind} %a", f"{kind} %a, {kind} %b", f"{kind} %a, {kind} %b, {kind} %c"
        for name in ("sadd", "uadd", "ssub", "usub", "smul", "umul"):
            yield called(f"{name}.with.overflow", kind, f"{{ {kind}, i1 }}", two, (kind, "i1"))
        for name in ("sadd.sat", "uadd.sat", "ssub.sat", "usub.sat", "smax", "smin", "umax", "umin", "expect"):
            yield called(name, kind, kind, two)
        for name in ("ctpop", "bitreverse") + (("bswap",) if kind != "i8" else ()):
            yield called(name, kind, kind, one)
        for name in ("ctlz", "cttz", "abs"):
            yield called(name, kind, kind, f"{one}, i1 false")
        for name in ("ctlz", "cttz"):
            yield called(name, kind, kind, f"{one}, i1 true", knows_least=0.5)
        for name in ("fshl", "fshr"):
            yield called(name, kind, kind, three)


def float_calls() -> Iterator[Case]:
    for kind, name in zip(FLOATS, ("f32", "f64"), strict=True):
        one, two, three = f"{kind} %a", f"{kind} %a, {kind} %b", f"{kind} %a, {kind} %b, {kind} %c"
        for stem in "fabs sqrt floor ceil trunc round rint nearbyint roundeven".split():
            yield called(stem, name, kind, one)
        for stem in ("minnum", "maxnum"):
            yield called(stem, name, kind, two, knows_least=0.3)
        yield called("copysign", name, kind, two)
        yield called("fma", name, kind, three)
        yield called("modf", name, f"{{ {kind}, {kind} }}", one, (kind, kind))
        for mask in (3, 516, 504, 264, 96, 4, 512, 8, 256, 16, 128, 32, 64, 1008, 60, 0, 1023):
            yield Case(f"%r = call i1 @llvm.is.fpclass.{name}({one}, i32 {mask})", (kind,), ("i1",))
        suffix = "f" if kind == "float" else ""
        for stem in "fabs sqrt floor ceil trunc round rint nearbyint".split():
            yield Case(f"%r = call {kind} @{stem}{suffix}({one})", (kind,), (kind,))
        for stem in ("fmin", "fmax"):
            yield Case(f"%r = call {kind} @{stem}{suffix}({two})", (kind, kind), (kind,), knows_least=0.3)
        yield Case(f"%r = call {kind} @fma{suffix}({three})", (kind,) * 3, (kind,))


def called(
    stem: str, kind: str, result: str, arguments: str, results: tuple[str, ...] = (), knows_least: float = 1.0
) -> Case:
    kinds = tuple(re.findall(r"(\w+) %", arguments))
    text = f"%r = call {result} @llvm.{stem}.{kind}({arguments})"
    return Case(text, kinds, results or (result,), knows_least=knows_least)


GROUPS: dict[str, Callable[[], Iterator[Case]]] = {
    each.__name__: each for each in (binary_cases, cast_cases, float_cases, integer_calls, float_calls)
}


# -- what is run

Native = Callable[[Sequence[int]], tuple[int, ...]]


def function_of(case: Case, index: int) -> str:
    lines = [f"define void @case_{index}(ptr %in, ptr %out) {{"]
    for position, (name, kind) in enumerate(zip("abc", case.kinds, strict=False)):
        lines.append(f"  %{name}.at = getelementptr i64, ptr %in, i64 {position}")
        wide = kind if kind in (*FLOATS, "i64") else "i64"
        lines.append(f"  %{name}{'' if wide == kind else '.wide'} = load {wide}, ptr %{name}.at")
        if wide != kind:
            lines.append(f"  %{name} = trunc i64 %{name}.wide to {kind}")
    lines.append(f"  {case.native or case.text}")
    for position, kind in enumerate(case.results):
        lines += stored(case, position, kind)
    return "\n".join([*lines, "  ret void", "}"])


def stored(case: Case, position: int, kind: str) -> list[str]:
    name = "%r" if len(case.results) == 1 else f"%r.{position}"
    lines = [f"  %out.{position} = getelementptr i64, ptr %out, i64 {position}"]
    if len(case.results) > 1:
        lines.append(f"  {name} = extractvalue {case.instruction.type} %r, {position}")
    if kind not in (*FLOATS, "i64"):
        lines.append(f"  {name}.wide = zext {kind} {name} to i64")
        name, kind = f"{name}.wide", "i64"
    return [*lines, f"  store {kind} {name}, ptr %out.{position}"]


def declared(cases: Sequence[Case]) -> list[str]:
    calls = [case.instruction for case in cases if case.instruction.opcode == "call"]
    return sorted({
        f"declare {each.type} {each.callee}({', '.join(str(one.value.type) for one in each.arguments)})" for each in calls
    })  # fmt: skip


KEEP_ALIVE: list[object] = []


def compiled(cases: Sequence[Case]) -> list[Native]:
    """As worker.py compiles woven code."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    text = "\n".join([*declared(cases), *(function_of(case, index) for index, case in enumerate(cases))])
    machine = llvm.Target.from_default_triple().create_target_machine(opt=1, jit=True, reloc="pic")
    compiler = llvm.create_lljit_compiler(machine, use_jit_link=True)
    builder = llvm.JITLibraryBuilder().add_ir(text).add_current_process()
    for index in range(len(cases)):
        builder = builder.export_symbol(f"case_{index}")
    library = builder.link(compiler, "cases")
    KEEP_ALIVE.extend((compiler, library))
    return [native(case, library[f"case_{index}"]) for index, case in enumerate(cases)]


def native(case: Case, address: int) -> Native:
    function = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)(address)

    def run(values: Sequence[int]) -> tuple[int, ...]:
        given, answers = (ctypes.c_uint64 * 3)(*values), (ctypes.c_uint64 * 2)()
        function(given, answers)
        return tuple(answers[index] for index in range(len(case.results)))

    return run


# -- and what is compared


def corners(kind: str, chance: random.Random) -> int:
    bits = BITS[kind]
    if kind in FLOATS:
        nan = ieee.INFINITY[bits]
        some = [ieee.from_python(value, bits) for value in (*CORNERS, 127.5, -128.5, 4294967295.0, -2147483648.0)]
        some += [nan + 5, ieee.NOT_A_NUMBER[bits], ieee.NOT_A_NUMBER[bits] | ieee.SIGN[bits], nan | ieee.SIGN[bits]]
        near = ieee.from_python(chance.uniform(-300, 300), bits)
        return chance.choice((chance.choice(some), near, chance.getrandbits(bits)))
    top = 1 << (bits - 1)
    some = [0, 1, 2, top, top - 1, 2 * top - 1, 2 * top - 2, bits, bits - 1]
    return chance.choice((chance.choice(some), chance.getrandbits(bits), chance.getrandbits(min(bits, 4)))) % (2 * top)


def rows(case: Case) -> list[list[int]]:
    chance = random.Random(case.text)
    return [[corners(kind, chance) for kind in case.kinds] for _ in range(ROWS)]


def input_terms(table: TermTable, case: Case) -> list[Term]:
    terms = [table.input(slot, BITS[kind]) for slot, kind in enumerate(case.kinds)]
    return [
        floats.from_bits(table, term) if kind in FLOATS else term for term, kind in zip(terms, case.kinds, strict=True)
    ]


def constant_terms(table: TermTable, case: Case, row: Sequence[int]) -> list[Term]:
    terms = [table.constant(value, BITS[kind]) for value, kind in zip(row, case.kinds, strict=True)]
    return [
        floats.from_bits(table, term) if kind in FLOATS else term for term, kind in zip(terms, case.kinds, strict=True)
    ]


def is_on(condition: Term | None, row: Sequence[int], default: bool) -> bool:
    return default if condition is None else evaluate(condition, row) == 1


def would_trap(case: Case, row: Sequence[int]) -> bool:
    opcode = case.instruction.opcode
    if opcode not in ("udiv", "sdiv", "urem", "srem"):
        return False
    lowest, minus_one = 1 << (BITS[case.kinds[0]] - 1), (1 << BITS[case.kinds[0]]) - 1
    return row[1] == 0 or (opcode[0] == "s" and row[0] == lowest and row[1] == minus_one)


def agrees(case: Case, computed: Computed | None, row: Sequence[int], run: Native) -> bool:
    """Whether the value was known; the two must be the same where it was."""
    assert computed is not None, case.text
    goes_on = is_on(computed.goes_on, row, default=True)
    assert goes_on == (not would_trap(case, row)), (case.text, row)
    if not goes_on or is_on(computed.unknown_if, row, default=False):
        return not goes_on
    found = [evaluate(term, row) for term in computed.values]
    expected = [
        ieee.canonical(answer, BITS[kind]) if kind in FLOATS else answer
        for answer, kind in zip(run(row), case.results, strict=True)
    ]
    assert [hex(each) for each in found] == [hex(each) for each in expected], (case.text, [hex(each) for each in row])
    return True


@pytest.mark.parametrize("group", GROUPS)
def test_terms_say_what_the_machine_does(group: str) -> None:
    cases = list(GROUPS[group]())
    for case, run in zip(cases, compiled(cases), strict=True):
        table = TermTable()
        symbolic = case.computed(table, input_terms(table, case))
        known = [agrees(case, symbolic, row, run) for row in rows(case)]
        assert sum(known) >= case.knows_least * ROWS, f"{case.text}: known on {sum(known)} of {ROWS}"
        for row in rows(case)[:12]:
            computed = case.computed(table, constant_terms(table, case, row))
            if agrees(case, computed, row, run) and computed and not computed.unknown and computed.goes_on is None:
                assert all(not term.support for term in computed.values), case.text


@pytest.mark.parametrize(
    "text",
    [
        "%r = add <4 x i32> %a, %b", "%r = add i128 %a, %b", "%r = fadd x86_fp80 %a, %b", "%r = fadd half %a, %b",
        "%r = load i32, ptr %a", "%r = icmp eq ptr %a, %b", "%r = ptrtoint ptr %a to i64",
        "%r = bitcast <2 x i32> %a to i64",
    ],
)  # fmt: skip
def test_what_has_no_meaning_here(text: str) -> None:
    table = TermTable()
    assert compute(table, read_instruction(text, None, {}), [table.input(0, 64), table.input(1, 64)]) is None


@pytest.mark.parametrize("name", ["@llvm.is.constant.i32", "@llvm.memcpy.p0.p0.i64", "@sin", "@llvm.fmuladd.f64"])
def test_calls_that_have_no_meaning_here(name: str) -> None:
    table = TermTable()
    call = read_instruction(f"%r = call i32 {name}(i32 %a)", None, {})
    assert compute_call(table, name, call, [table.input(0, 32)]) is None


def test_the_bits_of_a_float_are_known_just_where_it_is_made_of_bits() -> None:
    table = TermTable()
    x = floats.from_bits(table, table.input(0, 32))
    cast = read_instruction("%r = bitcast float %a to i32", None, {})
    total = table.make(Op.F_ADD, 32, (x, x), 0, True)
    computed = compute(table, cast, [total])
    assert computed and computed.unknown and computed.unknown_if is table.constant(1, 1)
    negated = compute(table, cast, [table.make(Op.F_NEG, 32, (x,), 0, True)])
    assert negated and not negated.unknown
    assert evaluate(negated.values[0], [0x7F80_0001]) == 0xFF80_0001
    quiet = compute(table, cast, [table.float_constant(ieee.NOT_A_NUMBER[32], 32)])  # it may have been computed
    assert quiet and quiet.unknown


def test_the_sign_of_a_computed_float_is_known_but_for_nan() -> None:
    table = TermTable()
    x, y = (floats.from_bits(table, table.input(slot, 64)) for slot in range(2))
    call = read_instruction("%r = call double @llvm.copysign.f64(double %a, double %b)", None, {})
    computed = compute_call(table, call.callee, call, [x, table.make(Op.F_MUL, 64, (x, y), 0, True)])
    one, minus_zero, nan = (ieee.from_python(value, 64) for value in (1.0, -0.0, float("nan")))
    assert computed and computed.unknown_if is not None
    assert evaluate(computed.values[0], [one, minus_zero]) == ieee.from_python(-1.0, 64)
    assert [evaluate(computed.unknown_if, [one, y]) for y in (minus_zero, nan)] == [0, 1]


# -- checks on request


def widths_of_checks() -> Iterator[tuple[str, int]]:
    yield from product(("add", "sub", "mul"), (3, 8, 16, 32, 40, 64))


@pytest.mark.parametrize(("opcode", "bits"), list(widths_of_checks()))
def test_overflow_check(opcode: str, bits: int) -> None:
    compute_exactly = {"add": int.__add__, "sub": int.__sub__, "mul": int.__mul__}[opcode]
    instruction = read_instruction(f"%mul1 = {opcode} nsw i{bits} %a, %b", None, {})
    chance, kind, table = random.Random(opcode), f"i{bits}", TermTable()
    x, y = table.input(0, bits), table.input(1, bits)
    both_open = compute(table, instruction, [x, y], ["overflow"])
    for _ in range(60):
        row = [corners(kind, chance), corners(kind, chance)]
        a, b = (table.constant(value, bits) for value in row)
        exact = compute_exactly(*(signed(value, bits) for value in row))
        fits = -(1 << (bits - 1)) <= exact < 1 << (bits - 1)
        for computed in (
            both_open,
            *(compute(table, instruction, pair, ["overflow"]) for pair in ((a, y), (x, b), (a, b))),
        ):
            assert computed and is_on(computed.goes_on, row, default=True) == fits, row
            assert evaluate(computed.values[0], row) == exact % (1 << bits)


def test_what_the_overflow_check_looks_at() -> None:
    table = TermTable()
    operands = [table.input(0, 32), table.input(1, 32)]

    def is_checked(text: str, *checks: str) -> bool:
        computed = compute(table, read_instruction(text, None, {}), operands, checks)
        return computed is not None and computed.goes_on is not None

    assert is_checked("%add = add nsw i32 %a, %b", "overflow") and is_checked("%mul = mul nsw i32 %a, %b", "overflow")
    assert not is_checked("%add = add i32 %a, %b", "overflow")
    assert not is_checked("%add = add nsw i32 %a, %b", "shift")
    assert not is_checked("%0 = mul nsw i32 %a, %b", "overflow")  # the row of an array of variable length
    assert is_checked("%shl = shl i32 %a, %b", "shift") and not is_checked("%shl = shl i32 %a, %b")
    small = [table.make(Op.SIGN_EXTEND, 32, (table.input(slot, 16),)) for slot in range(2)]
    computed = compute(table, read_instruction("%mul = mul nsw i32 %a, %b", None, {}), small, ["overflow"])
    assert computed and computed.goes_on is None


def test_shift_check() -> None:
    table = TermTable()
    instruction = read_instruction("%shl = shl i32 %a, %b", None, {})
    computed = compute(table, instruction, [table.input(0, 32), table.input(1, 32)], ["shift"])
    assert computed and computed.goes_on is not None
    assert [evaluate(computed.goes_on, [1, amount]) for amount in (0, 31, 32, 2**32 - 1)] == [1, 1, 0, 0]
