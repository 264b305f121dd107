"""One instruction at a time: text -> fields."""

import pytest

from tightrope.location import Location
from tightrope.program.ir.model import Value
from tightrope.program.ir.read_instruction import is_known, read_instruction
from tightrope.program.ir.read_type import parse_type
from tightrope.program.ir.types import BOOL, POINTER, VOID, FunctionType, IntType, NamedType

I8, I32, I64 = IntType(8), IntType(32), IntType(64)


def read(text, named_types=None):
    instruction = read_instruction(text, None, named_types or {})
    assert instruction.text == text
    return instruction


def value(text):
    kind, _, rest = text.rpartition(" ")
    return Value(parse_type(kind), rest)


def test_binary():
    add = read("%x = add nuw nsw i32 %a, -1")
    assert (add.opcode, add.result, add.type) == ("add", "%x", I32)
    assert add.operands == (value("i32 %a"), value("i32 -1"))
    assert add.flags == {"nuw", "nsw"}


def test_binary_with_constant_expression():
    sub = read("%x = sub i64 ptrtoint (ptr @g to i64), 8")
    assert sub.operands == (Value(I64, "ptrtoint (ptr @g to i64)"), value("i64 8"))


def test_float_and_vector_arithmetic():
    assert read("%x = fmul fast <2 x float> %a, <float 1.000000e+00, float 2.000000e+00>").operands[1] == Value(
        parse_type("<2 x float>"), "<float 1.000000e+00, float 2.000000e+00>"
    )
    assert read("%x = fneg nnan double %a").flags == {"nnan"}
    assert read("%x = shl <2 x i32> %a, splat (i32 1)").operands[1].text == "splat (i32 1)"


def test_comparisons():
    less = read("%c = icmp samesign ult i32 %a, 5")
    assert (less.predicate, less.type, less.flags) == ("ult", BOOL, {"samesign"})
    assert read("%c = icmp eq ptr %p, null").operands == (value("ptr %p"), value("ptr null"))
    assert read("%c = fcmp ole <4 x float> %a, %b").type == parse_type("<4 x i1>")


@pytest.mark.parametrize(
    ("text", "kind", "operand"),
    [
        ("%x = zext nneg i8 %a to i32", "i32", "i8 %a"),
        ("%x = fptosi double 1.5e+00 to i64", "i64", "double 1.5e+00"),
        ("%x = inttoptr i64 %a to ptr", "ptr", "i64 %a"),
        ("%x = bitcast <2 x i32> %a to i64", "i64", "<2 x i32> %a"),
    ],
)
def test_casts(text, kind, operand):
    cast = read(text)
    assert (cast.type, cast.operands) == (parse_type(kind), (value(operand),))


def test_memory():
    load = read("%x = load volatile i32, ptr @g, align 4")
    assert (load.type, load.operands, load.flags) == (I32, (value("ptr @g"),), {"volatile"})
    store = read("store i8 7, ptr %p, align 1")
    assert (store.type, store.result, store.operands) == (VOID, None, (value("i8 7"), value("ptr %p")))
    through = read("store ptr @f, ptr getelementptr inbounds (i8, ptr @g, i64 4), align 8")
    assert through.operands[1] == Value(POINTER, "getelementptr inbounds (i8, ptr @g, i64 4)")


def test_atomics():
    load = read('%x = load atomic volatile i32, ptr %p syncscope("one") acquire, align 4')
    assert (load.operands, load.flags) == ((value("ptr %p"),), {"atomic", "volatile"})
    store = read("store atomic i64 %v, ptr %p seq_cst, align 8")
    assert store.operands == (value("i64 %v"), value("ptr %p"))
    update = read("%x = atomicrmw volatile umax ptr %p, i32 %v acq_rel, align 4")
    assert (update.predicate, update.type, update.operands) == ("umax", I32, (value("ptr %p"), value("i32 %v")))
    exchange = read("%x = cmpxchg weak ptr %p, i32 %a, i32 %b acq_rel monotonic, align 4")
    assert exchange.type == parse_type("{ i32, i1 }")
    assert exchange.operands == (value("ptr %p"), value("i32 %a"), value("i32 %b"))
    assert read('fence syncscope("singlethread") seq_cst').operands == ()


def test_alloca():
    plain = read("%x = alloca %struct.s, align 8")
    assert (plain.type, plain.source_type, plain.operands) == (POINTER, NamedType("%struct.s"), ())
    many = read("%x = alloca [2 x i8], i64 %n, align 16")
    assert many.operands == (value("i64 %n"),)
    assert str(read("%x = alloca i8, align 1, addrspace(5)").type) == "ptr addrspace(5)"


def test_getelementptr():
    field = read("%x = getelementptr inbounds nuw %struct.s, ptr %p, i32 0, i32 2")
    assert field.source_type == NamedType("%struct.s")
    assert field.operands == (value("ptr %p"), value("i32 0"), value("i32 2"))
    assert (field.flags, field.type) == ({"inbounds", "nuw"}, POINTER)
    assert str(read("%x = getelementptr i8, ptr %p, <2 x i64> %v").type) == "<2 x ptr>"


def test_select_and_freeze():
    chosen = read("%x = select i1 %c, ptr @f, ptr null")
    assert chosen.operands == (value("i1 %c"), value("ptr @f"), value("ptr null"))
    assert read("%x = freeze i32 %a").type == I32


def test_phi():
    phi = read("%x = phi i32 [ %a, %then ], [ -7, %entry ]")
    assert phi.incoming == ((value("i32 %a"), "then"), (value("i32 -7"), "entry"))
    assert phi.operands == ()


def test_phi_with_brackets_and_quotes():
    phi = read('%x = phi ptr [ getelementptr (i8, ptr @g, i64 1), %a ], [ %"b c", %"d, e" ]')
    assert phi.incoming == (
        (Value(POINTER, "getelementptr (i8, ptr @g, i64 1)"), "a"),
        (Value(POINTER, '%"b c"'), '"d, e"'),
    )
    arrays = read("%x = phi [2 x i8] [ [i8 1, i8 2], %a ], [ zeroinitializer, %b ]")
    assert [v.text for v, _ in arrays.incoming] == ["[i8 1, i8 2]", "zeroinitializer"]


def test_branches():
    assert read("br label %next").targets == ("next",)
    branch = read('br i1 %c, label %then, label %"odd name"')
    assert (branch.operands, branch.targets) == ((value("i1 %c"),), ("then", '"odd name"'))
    jump = read("indirectbr ptr %a, [label %x, label %y]")
    assert (jump.operands, jump.targets) == ((value("ptr %a"),), ("x", "y"))


def test_switch_cases_are_unsigned():
    switch = read("switch i8 %v, label %other [\n    i8 -1, label %a\n    i8 7, label %b\n  ]")
    assert switch.operands == (value("i8 %v"),)
    assert (switch.targets, switch.cases) == (("other", "a", "b"), (255, 7))


def test_switch_over_truth_values_and_without_cases():
    assert read("switch i1 %v, label %d [\n    i1 false, label %a\n    i1 true, label %b\n  ]").cases == (0, 1)
    assert read("switch i32 %v, label %d [\n  ]").targets == ("d",)


def test_return_and_unreachable():
    assert read("ret void").operands == ()
    assert read("ret { i64, i32 } %x").operands == (value("{ i64, i32 } %x"),)
    assert read("unreachable").targets == ()


def test_aggregates():
    part = read("%x = extractvalue %pair %p, 1, 0", {"%pair": parse_type("{ i8, { i64 } }")})
    assert (part.type, part.indices) == (I64, (1, 0))
    whole = read("%x = insertvalue { i8, i64 } poison, i64 %v, 1")
    assert (whole.operands, whole.indices) == ((value("{ i8, i64 } poison"), value("i64 %v")), (1,))


def test_vectors():
    assert read("%x = extractelement <4 x i32> %v, i64 2").type == I32
    assert str(read("%x = insertelement <4 x i32> %v, i32 1, i64 2").type) == "<4 x i32>"
    shuffle = read("%x = shufflevector <4 x i8> %v, <4 x i8> poison, <2 x i32> <i32 3, i32 0>")
    assert str(shuffle.type) == "<2 x i8>"


def test_variadic_argument():
    assert read("%x = va_arg ptr %list, i32").type == I32


def test_call():
    call = read("%x = call signext i8 @f(i32 noundef signext %a, ptr noundef @.str, i1 noundef zeroext false) #3")
    assert (call.opcode, call.callee, call.type) == ("call", "@f", I8)
    assert call.function_type == FunctionType(I8, (I32, POINTER, BOOL))
    assert [a.value.text for a in call.arguments] == ["%a", "@.str", "false"]
    assert call.operands == ()


def test_call_without_arguments():
    assert read("call void @f()").arguments == ()


def test_variadic_call_keeps_its_function_type():
    call = read("%x = call i32 (ptr, ...) @printf(ptr noundef @.str, double noundef 2.000000e+00)")
    assert call.function_type == FunctionType(I32, (POINTER,), is_variadic=True)
    assert [str(a.value.type) for a in call.arguments] == ["ptr", "double"]


def test_objects_passed_by_copy():
    call = read(
        "call void @f(ptr dead_on_unwind writable sret(%struct.big) align 8 %r,"
        " ptr noundef byval(%struct.big) align 8 %b)"
    )
    assert call.arguments[0].sret == NamedType("%struct.big")
    assert call.arguments[1].byval == NamedType("%struct.big")
    assert call.arguments[1].value == value("ptr %b")


def test_call_through_a_pointer_or_constant():
    assert read("%x = call i32 %f(i32 1)").callee == "%f"
    odd = read("call void inttoptr (i64 4096 to ptr)(i32 1)")
    assert (odd.callee, odd.arguments[0].value) == ("inttoptr (i64 4096 to ptr)", value("i32 1"))
    assert read('call void @"odd (name"(i32 2)').callee == '@"odd (name"'
    assert read("call void null()").callee == "null"


def test_call_attributes_are_skipped():
    call = read(
        "%x = tail call fast fastcc noundef range(i32 0, 5) i32 @f(ptr align 8 dereferenceable(8) %p,"
        ' metadata !"round.tonearest", ptr captures(none) nofpclass(nan inf) "a"="b" getelementptr (i8, ptr @g, i64 1))'
        ' nounwind "k"="v" [ "deopt"(i32 7) ]'
    )
    assert (call.opcode, call.callee, call.type) == ("call", "@f", I32)
    assert call.flags == {"tail", "fast"}
    assert [a.value.text for a in call.arguments] == ["%p", '!"round.tonearest"', "getelementptr (i8, ptr @g, i64 1)"]
    assert read("musttail call cc 10 void @f()").flags == {"musttail"}


def test_inline_assembly():
    call = read('%x = call i32 asm sideeffect inteldialect "mov (, $0", "=r,r,~{memory}"(i32 %a) #1')
    assert (call.is_assembly, call.callee, call.type) == (True, "", I32)
    assert call.arguments[0].value == value("i32 %a")


def test_assembly_that_jumps():
    jump = read('callbr void asm "jmp ${1:l}", "r,!i"(i32 %a)\n          to label %next [label %other]')
    assert (jump.opcode, jump.is_assembly, jump.targets) == ("callbr", True, ("next", "other"))


@pytest.mark.parametrize(
    ("text", "opcode", "targets"),
    [
        ("%x = conjure i32 %a, label %b", "conjure", ("b",)),
        ("%x = add i32", "add", ()),
        ("resume { ptr, i32 } %x", "resume", ()),
    ],
)
def test_what_is_not_known_is_carried(text, opcode, targets):
    carried = read(text)
    assert not is_known(carried)
    assert (carried.opcode, carried.targets) == (opcode, targets)


def test_the_place_is_kept():
    place = Location("/a.c", 3, 4)
    assert read_instruction("ret void", place, {}).location is place
