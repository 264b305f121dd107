"""Arithmetic, comparisons and conversions: one small function per kind of instruction."""

from __future__ import annotations

from collections.abc import Sequence

from tightrope.expr.operators import Op
from tightrope.program.ir.model import Instruction, Value
from tightrope.program.ir.types import POINTER, VectorType
from tightrope.weaving.checks import CHECKS, is_checked, must_fit
from tightrope.weaving.probes import BINARY, DIVISIONS, FLOAT_BINARY, FLOAT_PREDICATES, INTEGER_PREDICATES, SHIFTS
from tightrope.weaving.weave_function import (
    FunctionWeaver,
    Handler,
    constant_bits,
    is_aggregate,
    nature_of,
    scalar_bits,
    sort_of,
    suffixed,
    weave_unmodelled,
)


def _pair(weaver: FunctionWeaver, instruction: Instruction) -> tuple[str, ...]:
    """Shadow and number of both operands, as arguments of a probe."""
    a, b = instruction.operands
    return (
        f"i32 {weaver.shadow_of(a)}",
        f"i64 {weaver.bits(a)}",
        f"i32 {weaver.shadow_of(b)}",
        f"i64 {weaver.bits(b)}",
    )


def _are_concrete(weaver: FunctionWeaver, instruction: Instruction) -> bool:
    return all(weaver.shadow_of(operand) == "0" for operand in instruction.operands)


def _check_overflow(weaver: FunctionWeaver, instruction: Instruction, bits: int, pair: tuple[str, ...]) -> None:
    if is_checked(instruction, weaver.checks):
        code, place = BINARY[instruction.opcode].value, weaver.place(CHECKS["overflow"].what, instruction)
        weaver.call("tr_check_overflow", f"i32 {code}", f"i32 {bits}", *pair, place)


def _note_overflow(weaver: FunctionWeaver, instruction: Instruction, bits: int) -> None:
    """Signed arithmetic of the unit that wraps is noted: a build without -fwrapv may do something else.

    %r = add i32 %a, %b            wraps if %r differs in sign from both
    %r = sub i32 %a, %b            wraps if %a differs in sign from both
    %r = mul i32 %a, %b            wraps if the product of twice the width is another number
    """
    if not must_fit(instruction) or weaver.in_label or weaver.is_ours or "overflow" in weaver.checks:
        return
    kind, (a, b), r = instruction.type, (weaver_text(each.text) for each in instruction.operands), instruction.result
    if instruction.opcode == "mul":
        x, y, z = (weaver.let(f"sext {kind} {each} to i{2 * bits}") for each in (a, b, r))
        wraps = weaver.let(f"icmp ne i{2 * bits} {weaver.let(f'mul i{2 * bits} {x}, {y}')}, {z}")
    else:
        x = weaver.let(f"xor {kind} {a}, {r}")
        y = weaver.let(f"xor {kind} {b}, {r if instruction.opcode == 'add' else a}")
        wraps = weaver.let(f"icmp slt {kind} {weaver.let(f'and {kind} {x}, {y}')}, 0")
    noted = weaver.let(f"or i32 {weaver.let(f'zext i1 {wraps} to i32')}, {weaver.let('load i32, ptr @tr_overflowed')}")
    weaver.emit(f"store i32 {noted}, ptr @tr_overflowed")


def weave_binary(weaver: FunctionWeaver, instruction: Instruction) -> None:
    """add, sub, mul, and, or, xor: the result wraps."""
    bits = scalar_bits(instruction.type)
    if not bits or is_aggregate(instruction.type):
        return weave_unmodelled(weaver, instruction)
    pair = _pair(weaver, instruction)
    _check_overflow(weaver, instruction, bits, pair)
    probe = weaver.ask("tr_binary", f"i32 {BINARY[instruction.opcode].value}", f"i32 {bits}", *pair)
    one, other = (_as_address(weaver, value) for value in instruction.operands)
    if one and other and instruction.opcode == "sub" and not weaver.is_ours:
        shadow = weaver.let(probe)
        weaver.original(instruction)
        return _meet(weaver, (one, other), instruction, shadow, DISTANCE)
    weaver.define(weaver.result_shadow(instruction)[0], probe)
    weaver.original(instruction)
    _note_overflow(weaver, instruction, bits)


def weave_shift(weaver: FunctionWeaver, instruction: Instruction) -> None:
    """shl, lshr, ashr: the amount is masked as the machine masks it, instead of giving poison.

    Before: %r = shl i32 %a, %n
    After:  %r.amount = and i32 %n, 31
            %r = shl i32 %a, %r.amount
    """
    bits = scalar_bits(instruction.type)
    if bits and (constant_bits(instruction.operands[1]) or bits) < bits:
        return _weave_plain_shift(weaver, instruction)
    if not bits or bits & (bits - 1) or is_aggregate(instruction.type):
        return weave_unmodelled(weaver, instruction)
    pair = _pair(weaver, instruction)
    if "shift" in weaver.checks:
        weaver.call("tr_check_shift", f"i32 {bits}", *pair[2:], weaver.place(CHECKS["shift"].what, instruction))
    probe = weaver.ask("tr_shift", f"i32 {SHIFTS[instruction.opcode].value}", f"i32 {bits}", *pair)
    weaver.define(weaver.result_shadow(instruction)[0], probe)
    a, amount = instruction.operands
    assert instruction.result
    masked = suffixed(instruction.result, "amount")
    weaver.emit(f"{masked} = and {amount.type} {weaver_text(amount.text)}, {bits - 1}")
    weaver.emit(f"{instruction.result} = {instruction.opcode} {a.type} {weaver_text(a.text)}, {masked}")


def _weave_plain_shift(weaver: FunctionWeaver, instruction: Instruction) -> None:
    """A shift by a constant that is in range, of any width."""
    code, bits = SHIFTS[instruction.opcode].value, scalar_bits(instruction.type)
    probe = weaver.ask("tr_binary", f"i32 {code}", f"i32 {bits}", *_pair(weaver, instruction))
    weaver.define(weaver.result_shadow(instruction)[0], probe)
    weaver.original(instruction)


def weaver_text(text: str) -> str:
    return "0" if text in ("undef", "poison") else text


def weave_division(weaver: FunctionWeaver, instruction: Instruction) -> None:
    """udiv, sdiv, urem, srem: the probe ends the run where the machine would trap."""
    bits = scalar_bits(instruction.type)
    if not bits or is_aggregate(instruction.type):
        return weave_unmodelled(weaver, instruction)
    pair = _pair(weaver, instruction)
    code = DIVISIONS[instruction.opcode].value
    place = weaver.place("division", instruction)
    if weaver.in_label:
        return _weave_label_division(weaver, instruction, ", ".join((f"i32 {code}", f"i32 {bits}", *pair, place)))
    weaver.define(
        weaver.result_shadow(instruction)[0], weaver.ask("tr_divide", f"i32 {code}", f"i32 {bits}", *pair, place)
    )
    weaver.original(instruction)


def _weave_label_division(weaver: FunctionWeaver, instruction: Instruction, arguments: str) -> None:
    """In the predicate of a label: where the division would end the run, it is one by 1 instead."""
    divisor, kind = weaver.let(f"call i64 @tr_label_divide({arguments})"), instruction.type
    if scalar_bits(kind) < 64:
        divisor = weaver.let(f"trunc i64 {divisor} to {kind}")
    weaver.define(weaver.result_shadow(instruction)[0], "load i32, ptr @tr_label_shadow")
    dividend = weaver_text(instruction.operands[0].text)
    weaver.emit(f"{instruction.result} = {instruction.opcode} {kind} {dividend}, {divisor}")


def weave_icmp(weaver: FunctionWeaver, instruction: Instruction) -> None:
    """icmp: on integers and addresses."""
    kind = instruction.operands[0].type
    if not scalar_bits(kind) or is_aggregate(kind):
        return weave_unmodelled(weaver, instruction)
    shadow = "0"
    if not _are_concrete(weaver, instruction):
        code = INTEGER_PREDICATES.index(instruction.predicate)
        pair = _pair(weaver, instruction)
        shadow = weaver.let(weaver.ask("tr_compare", f"i32 {code}", f"i32 {scalar_bits(kind)}", *pair))
    weaver.original(instruction)
    if kind == POINTER and not any(value.text == "null" for value in instruction.operands) and not weaver.is_ours:
        how = EQUALITY if instruction.predicate in ("eq", "ne") else ORDER
        return _meet(weaver, instruction.operands, instruction, shadow, how)
    weaver.define(weaver.result_shadow(instruction)[0], f"add i32 {shadow}, 0")


EQUALITY, ORDER, DISTANCE = 1, 2, 3  # as in runtime/addresses.c


def _meet(weaver: FunctionWeaver, pair: Sequence[Value], instruction: Instruction, shadow: str, how: int) -> None:
    """Two addresses are compared or subtracted: the result may depend on where their objects lie."""
    result = Value(instruction.type, instruction.result or "")
    addresses = [*(f"ptr {value.text}" for value in pair), *(f"i32 {weaver.shadow_of(value)}" for value in pair)]
    place = weaver.place("order or distance of addresses", instruction)
    known = f"i32 {shadow}", f"i64 {weaver.bits(result)}", f"i32 {scalar_bits(instruction.type)}", f"i32 {how}"
    weaver.define(weaver.result_shadow(instruction)[0], weaver.ask("tr_meet", *addresses, *known, place))


def _as_address(weaver: FunctionWeaver, value: Value) -> Value | None:
    """The pointer that a number was made of."""
    made = weaver.definitions.get(value.text)
    return made.operands[0] if made and made.opcode == "ptrtoint" else None


def weave_fcmp(weaver: FunctionWeaver, instruction: Instruction) -> None:
    """fcmp: ordered predicates are false with a NaN, unordered ones true."""
    kind = instruction.operands[0].type
    if not scalar_bits(kind) or is_aggregate(kind) or instruction.predicate not in FLOAT_PREDICATES:
        return weave_unmodelled(weaver, instruction)
    code = FLOAT_PREDICATES.index(instruction.predicate)
    pair = _pair(weaver, instruction)
    probe = weaver.ask("tr_float_compare", f"i32 {code}", f"i32 {scalar_bits(kind)}", *pair)
    weaver.define(weaver.result_shadow(instruction)[0], probe)
    weaver.original(instruction)


def weave_float_binary(weaver: FunctionWeaver, instruction: Instruction) -> None:
    """fadd, fsub, fmul, fdiv: IEEE, to nearest even."""
    bits = scalar_bits(instruction.type)
    if not bits or is_aggregate(instruction.type):
        return weave_unmodelled(weaver, instruction)
    code = FLOAT_BINARY[instruction.opcode].value
    pair = _pair(weaver, instruction)
    weaver.define(
        weaver.result_shadow(instruction)[0], weaver.ask("tr_float_binary", f"i32 {code}", f"i32 {bits}", *pair)
    )
    weaver.original(instruction)


def weave_fneg(weaver: FunctionWeaver, instruction: Instruction) -> None:
    """fneg: flips the sign, also of NaN."""
    bits = scalar_bits(instruction.type)
    if not bits or is_aggregate(instruction.type):
        return weave_unmodelled(weaver, instruction)
    shadow = weaver.shadow_of(instruction.operands[0])
    probe = weaver.ask("tr_float_unary", f"i32 {Op.F_NEG.value}", f"i32 {bits}", f"i32 {shadow}")
    weaver.define(weaver.result_shadow(instruction)[0], probe)
    weaver.original(instruction)


def weave_extension(weaver: FunctionWeaver, instruction: Instruction) -> None:
    """zext, sext, and trunc."""
    source, bits = instruction.operands[0], scalar_bits(instruction.type)
    if not bits or not scalar_bits(source.type) or is_aggregate(instruction.type):
        return weave_unmodelled(weaver, instruction)
    shadow = f"i32 {weaver.shadow_of(source)}"
    if instruction.opcode == "trunc":
        probe = weaver.ask("tr_truncate", f"i32 {bits}", shadow)
    else:
        op = Op.ZERO_EXTEND if instruction.opcode == "zext" else Op.SIGN_EXTEND
        probe = weaver.ask("tr_extend", f"i32 {op.value}", f"i32 {bits}", shadow)
    weaver.define(weaver.result_shadow(instruction)[0], probe)
    weaver.original(instruction)


def weave_pointer_cast(weaver: FunctionWeaver, instruction: Instruction) -> None:
    """ptrtoint, inttoptr, addrspacecast: addresses are 64-bit numbers."""
    source, bits = instruction.operands[0], scalar_bits(instruction.type)
    given = scalar_bits(source.type)
    if not bits or not given or is_aggregate(instruction.type):
        return weave_unmodelled(weaver, instruction)
    shadow = f"i32 {weaver.shadow_of(source)}"
    if instruction.opcode == "ptrtoint" and not _is_for_difference(weaver, instruction):
        place = weaver.place("address that is read as a number", instruction)
        shadow = f"i32 {weaver.let(weaver.ask('tr_look_at', f'ptr {source.text}', shadow, place))}"
    if bits < given:
        probe = weaver.ask("tr_truncate", f"i32 {bits}", shadow)
    elif instruction.opcode == "inttoptr" and given == bits:
        probe = weaver.ask("tr_look_back", shadow)
    else:
        probe = weaver.ask("tr_extend", f"i32 {Op.ZERO_EXTEND.value}", f"i32 {bits}", shadow)
    weaver.define(weaver.result_shadow(instruction)[0], probe)
    weaver.original(instruction)


def _is_for_difference(weaver: FunctionWeaver, instruction: Instruction) -> bool:
    """Whether it is `p - q`, which does not depend on the address of the object; also true in driver and models."""
    if weaver.is_ours:
        return True
    every = [each for block in weaver.function.blocks for each in block.instructions]
    users = [each for each in every if any(value.text == instruction.result for value in each.operands)]
    others = [each for each in every if any(value.text == instruction.result for value, _ in each.incoming)]
    others += [each for each in every if any(one.value.text == instruction.result for one in each.arguments)]
    return not others and all(
        each.opcode == "sub" and all(_as_address(weaver, value) for value in each.operands) for each in users
    )


def weave_to_float(weaver: FunctionWeaver, instruction: Instruction) -> None:
    """fpext, fptrunc, sitofp, uitofp: to nearest even."""
    source, bits = instruction.operands[0], scalar_bits(instruction.type)
    if not bits or not scalar_bits(source.type) or is_aggregate(instruction.type):
        return weave_unmodelled(weaver, instruction)
    op = {"sitofp": Op.F_FROM_SIGNED, "uitofp": Op.F_FROM_UNSIGNED}.get(instruction.opcode, Op.F_RESIZE)
    shadow = weaver.shadow_of(source)
    probe = weaver.ask("tr_to_float", f"i32 {op.value}", f"i32 {bits}", f"i32 {shadow}")
    weaver.define(weaver.result_shadow(instruction)[0], probe)
    weaver.original(instruction)


def weave_to_integer(weaver: FunctionWeaver, instruction: Instruction) -> None:
    """fptosi, fptoui: exact where the value fits; otherwise undefined in C, and the result is no value to rest on."""
    source, bits = instruction.operands[0], scalar_bits(instruction.type)
    if not bits or not scalar_bits(source.type) or is_aggregate(instruction.type):
        return weave_unmodelled(weaver, instruction)
    is_signed = int(instruction.opcode == "fptosi")
    place = weaver.place("conversion of a float out of range", instruction)
    number = weaver.bits(source)
    sizes = (f"i32 {is_signed}", f"i32 {bits}", f"i32 {scalar_bits(source.type)}")
    arguments = (*sizes, f"i32 {weaver.shadow_of(source)}", f"i64 {number}", place)
    weaver.define(weaver.result_shadow(instruction)[0], weaver.ask("tr_to_integer", *arguments))
    weaver.original(instruction)


def weave_bitcast(weaver: FunctionWeaver, instruction: Instruction) -> None:
    """bitcast: the same bits under another type."""
    source, target = instruction.operands[0].type, instruction.type
    shadow = weaver.shadow(instruction.operands[0])
    if is_aggregate(source) or is_aggregate(target):
        return _bitcast_vector(weaver, instruction)
    if not scalar_bits(source) or not scalar_bits(target):
        return weave_unmodelled(weaver, instruction)
    if sort_of(source) == sort_of(target):
        weaver.alias(instruction, shadow)
    elif sort_of(target):
        probe = weaver.ask("tr_as_float", f"i32 {scalar_bits(target)}", f"i32 {shadow[0]}")
        weaver.define(weaver.result_shadow(instruction)[0], probe)
    else:
        place = weaver.place("bits of a computed float", instruction)
        number = weaver.bits(instruction.operands[0])
        probe = weaver.ask("tr_as_bits", f"i32 {shadow[0]}", f"i64 {number}", place)
        weaver.define(weaver.result_shadow(instruction)[0], probe)
    weaver.original(instruction)


def _bitcast_vector(weaver: FunctionWeaver, instruction: Instruction) -> None:
    """Element by element when the elements have the same sizes; otherwise the value is pinned."""
    source = weaver.leaves(instruction.operands[0].type)
    target = weaver.leaves(instruction.type)
    sizes = [[(scalar_bits(k), sort_of(k)) for k, _ in leaves] for leaves in (source, target)]
    if sizes[0] != sizes[1]:
        return weave_unmodelled(weaver, instruction)
    weaver.alias(instruction, weaver.shadow(instruction.operands[0]))
    weaver.original(instruction)


def weave_select(weaver: FunctionWeaver, instruction: Instruction) -> None:
    """select: one operand or the other, no branch."""
    condition, a, b = instruction.operands
    if isinstance(condition.type, VectorType):
        return weave_unmodelled(weaver, instruction)
    chosen = (
        weaver.let(f"zext i1 {condition.text} to i32")
        if constant_bits(condition) is None
        else str(constant_bits(condition))
    )
    for index, name in enumerate(weaver.result_shadow(instruction)):
        if name == "0":
            weaver.pin_operand(condition, "selection of an unmodelled value", instruction)
            continue
        x, y = weaver.leaf(a, index), weaver.leaf(b, index)
        weaver.define(
            name,
            weaver.ask(
                "tr_select",
                f"i32 {scalar_bits(x.type)}",
                f"i32 {nature_of(x.type)}",
                f"i32 {weaver.shadow_of(condition)}",
                f"i32 {chosen}",
                f"i32 {weaver.shadow(a)[index]}",
                f"i64 {weaver.bits(x)}",
                f"i32 {weaver.shadow(b)[index]}",
                f"i64 {weaver.bits(y)}",
            ),
        )
    weaver.original(instruction)


def weave_freeze(weaver: FunctionWeaver, instruction: Instruction) -> None:
    """freeze: the value itself, as undefined values are zero here."""
    weaver.alias(instruction, weaver.shadow(instruction.operands[0]))
    weaver.original(instruction)


HANDLERS: dict[str, Handler] = {
    **dict.fromkeys(BINARY, weave_binary),
    **dict.fromkeys(SHIFTS, weave_shift),
    **dict.fromkeys(DIVISIONS, weave_division),
    **dict.fromkeys(FLOAT_BINARY, weave_float_binary),
    "fneg": weave_fneg,
    "icmp": weave_icmp,
    "fcmp": weave_fcmp,
    **dict.fromkeys(("zext", "sext", "trunc"), weave_extension),
    **dict.fromkeys(("ptrtoint", "inttoptr"), weave_pointer_cast),
    **dict.fromkeys(("fpext", "fptrunc", "sitofp", "uitofp"), weave_to_float),
    **dict.fromkeys(("fptosi", "fptoui"), weave_to_integer),
    "bitcast": weave_bitcast,
    "select": weave_select,
    "freeze": weave_freeze,
}
