"""Whole modules: text -> Program."""

import llvmlite.binding as llvm

from tightrope.location import Location
from tightrope.program.ir.read_instruction import is_known
from tightrope.program.ir.read_ir import link_bitcode, normalise, read_program
from tightrope.program.ir.types import FunctionType, IntType, NamedType

MODULE = r"""; ModuleID = 'unit.c'
source_filename = "unit.c"
target datalayout = "e-i64:64"
target triple = "x86_64-linux"

module asm ".globl x, !dbg !1"

%struct.node = type { ptr, i32 }
%struct.hidden = type opaque
%"odd name" = type <{ i8, %struct.node }>

$merged = comdat any

@text = private unnamed_addr constant [9 x i8] c"global \22\00", align 1, !dbg !0
@local = internal thread_local(localexec) global { ptr, [2 x i8] } { ptr @text, [2 x i8] c"ab" }, section ".s", align 8
@elsewhere = external dso_local global i32, align 4
@weak = extern_weak global i32
@merged = linkonce_odr global i32 5, comdat, align 4, !dbg !0, !dbg !1
@other = dso_local alias i32 (i32, ...), ptr @work

; Function Attrs: noinline
define internal zeroext i1 @work(i32 noundef %n, ptr byval(%struct.node) align 8 %s, ...) unnamed_addr #0 section ".t" !dbg !7 {
entry:
    #dbg_value(i32 %n, !9, !DIExpression(), !8)
  %i = call i64 @llvm.read_register.i64(metadata !11), !dbg !8
  switch i32 %n, label %done [
    i32 0, label %"odd block"
  ], !dbg !10

"odd block":                                      ; preds = %entry
  br label %done, !dbg !8, !llvm.loop !1

done:                                             ; preds = %entry, %"odd block"
  ret i1 false
}

declare !dbg !7 i64 @llvm.read_register.i64(metadata) #1

define void @unnamed(i32 %0) {
  %2 = conjure i32 %0
  ret void
}

attributes #0 = { noinline "k"="v" }
attributes #1 = { nounwind }

!llvm.module.flags = !{!1}
!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = !{i32 2, !"Debug Info Version", i32 3}
!6 = !DIFile(filename: "src/../unit \C3\A9.c", directory: "/home/me")
!7 = distinct !DISubprogram(name: "work", scope: !6, file: !6, line: 20, type: !3, unit: !4)
!8 = !DILocation(line: 21, column: 5, scope: !7)
!9 = !DILocalVariable(name: "n", arg: 1, scope: !7, file: !6, line: 20, type: !3)
!10 = !DILocation(line: 0, scope: !12)
!11 = !{!"rsp, !5"}
!12 = distinct !DILexicalBlock(scope: !7, file: !13, line: 22, column: 3)
!13 = !DIFile(filename: "/usr/include/a.h", directory: "/home/me")
"""
PROGRAM = read_program(MODULE)


def test_target_and_types():
    assert (PROGRAM.data_layout, PROGRAM.triple) == ("e-i64:64", "x86_64-linux")
    assert list(PROGRAM.named_types) == ["%struct.node", '%"odd name"']
    assert str(PROGRAM.named_types['%"odd name"']) == "<{ i8, %struct.node }>"


def test_globals():
    text = PROGRAM.globals["@text"]
    assert (str(text.type), text.is_constant, text.is_internal) == ("[9 x i8]", True, True)
    assert text.initializer == r'c"global \22\00"'
    local = PROGRAM.globals["@local"]
    assert (local.is_thread_local, local.is_internal, local.is_constant) == (True, True, False)
    assert local.initializer == '{ ptr @text, [2 x i8] c"ab" }'
    assert [PROGRAM.globals[name].is_defined for name in ("@elsewhere", "@weak", "@merged")] == [False, False, True]
    assert PROGRAM.globals["@elsewhere"].initializer == ""
    assert "@other" not in PROGRAM.globals


def test_function():
    work = PROGRAM.functions["@work"]
    assert work.type == FunctionType(IntType(1), tuple(p.type for p in work.parameters), is_variadic=True)
    assert [p.name for p in work.parameters] == ["%n", "%s"]
    assert work.parameters[1].byval == NamedType("%struct.node")
    assert work.is_internal
    assert work.location == Location("/home/me/unit é.c", 20)
    assert work.header.endswith('unnamed_addr #0 section ".t" {')
    assert [block.name for block in work.blocks] == ["entry", '"odd block"', "done"]


def test_declarations_have_no_body():
    declared = PROGRAM.functions["@llvm.read_register.i64"]
    assert not declared.is_defined
    assert str(declared.type) == "i64 (metadata)"


def test_places():
    entry, odd, done = PROGRAM.functions["@work"].blocks
    assert entry.instructions[0].location == Location("/home/me/unit é.c", 21, 5)
    assert entry.instructions[1].location == Location("/usr/include/a.h", 0)
    assert entry.places == odd.places == (Location("/home/me/unit é.c", 21, 5),)
    assert done.places == ()


def test_metadata_operands_are_written_out():
    call = PROGRAM.functions["@work"].blocks[0].instructions[0]
    assert call.text == '%i = call i64 @llvm.read_register.i64(metadata !{!"rsp, !5"})'


def test_unnamed_blocks_are_numbered_as_llvm_does():
    assert PROGRAM.functions["@unnamed"].blocks[0].name == "1"


def test_an_unknown_instruction_is_carried_along():
    functions = PROGRAM.functions.values()
    [(name, opcode)] = [(f.name, each.opcode) for f in functions for each in f.instructions() if not is_known(each)]
    assert (name, opcode) == ("@unnamed", "conjure")


def test_the_prelude_has_neither_metadata_nor_comments():
    kept = "\n".join(PROGRAM.prelude)
    assert 'module asm ".globl x, !dbg !1"' in kept
    assert "$merged = comdat any" in kept
    assert "declare i64 @llvm.read_register.i64(metadata) #1" in kept
    assert "@other = dso_local alias i32 (i32, ...), ptr @work" in kept
    assert not any(word in kept for word in ("\n!", "ModuleID", "define"))


def test_raw_text_gives_the_places_of_blocks():
    raw = MODULE.replace("line: 21,", "line: 99,")
    assert read_program(MODULE, raw).functions["@work"].blocks[0].places[0].line == 99


def to_bitcode(text):
    return llvm.parse_assembly(text, llvm.create_context()).as_bitcode()


def test_normalise_promotes_locals_and_names_everything():
    raw, normal = normalise(
        to_bitcode(
            "define i32 @f(i32 %0) {\n %2 = alloca i32\n store i32 %0, ptr %2\n %3 = load i32, ptr %2\n ret i32 %3\n}"
        )
    )
    assert [i.opcode for i in read_program(raw).functions["@f"].blocks[0].instructions] == [
        "alloca",
        "store",
        "load",
        "ret",
    ]
    [block] = read_program(normal).functions["@f"].blocks
    assert (block.name, [i.text for i in block.instructions]) == ("bb", ["ret i32 %arg"])


def test_normalise_keeps_the_branches():
    text = "define i1 @f(i1 %a, i1 %b) {\nx:\n br i1 %a, label %y, label %z\ny:\n br label %z\nz:\n %r = phi i1 [ false, %x ], [ %b, %y ]\n ret i1 %r\n}"
    assert len(read_program(normalise(to_bitcode(text))[1]).functions["@f"].blocks) == 3


def test_link_bitcode():
    joined = link_bitcode(
        [
            to_bitcode("declare i32 @f()\ndefine i32 @g() {\n %x = call i32 @f()\n ret i32 %x\n}"),
            to_bitcode("define i32 @f() {\n ret i32 1\n}"),
        ]
    )
    assert read_program(normalise(joined)[1]).functions["@f"].is_defined
