import pytest

from tightrope.location import Location
from tightrope.program.declarations.c_types import (
    VOID_ID,
    CArray,
    CEnum,
    CFunctionType,
    CMember,
    CPointer,
    CQualified,
    CRecord,
    CScalar,
    CTypedef,
    CTypes,
    CVoid,
)
from tightrope.program.declarations.debug_info import UnspellableError, read_debug_info, spell

TEXT = r"""
@counter = internal global i32 0, align 4, !dbg !50
@work.calls = internal global i32 0, align 4, !dbg !52
@.str = private constant [2 x i8] c"x\00", !dbg !54
@far = external global i32

define internal i32 @work(ptr %r, i32 %old) !dbg !9 {
entry:
    #dbg_declare(ptr %r.addr, !60, !DIExpression(), !61)
    #dbg_declare(ptr %local, !62, !DIExpression(DW_OP_plus_uconst, 4), !61)
  ret i32 0
}
define void @old_style(i32 %a) !dbg !20 {
entry:
    #dbg_value(i32 %a, !22, !DIExpression(), !23)
  ret void
}
define void @no_debug() {
entry:
  ret void
}

!0 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!1 = !DIBasicType(name: "char", size: 8, encoding: DW_ATE_signed_char)
!2 = !DIFile(filename: "t.c", directory: "/w")
!3 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !4, size: 64)
!4 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "rec", file: !2, line: 4, size: 128, elements: !5)
!5 = !{!6, !7, !8}
!6 = !DIDerivedType(tag: DW_TAG_member, name: "next", scope: !4, file: !2, line: 4, baseType: !3, size: 64)
!7 = !DIDerivedType(tag: DW_TAG_member, name: "f", scope: !4, file: !2, line: 4, baseType: !30, size: 3, offset: 64, flags: DIFlagBitField, extraData: i64 64)
!8 = !DIDerivedType(tag: DW_TAG_member, scope: !4, file: !2, line: 4, baseType: !31, size: 32, offset: 96)
!9 = distinct !DISubprogram(name: "work", scope: !2, file: !2, line: 13, type: !10, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !40)
!10 = !DISubroutineType(types: !11)
!11 = !{!0, !3, !32, null}
!20 = distinct !DISubprogram(name: "old_style", scope: !2, file: !2, line: 30, type: !21, spFlags: DISPFlagDefinition, unit: !40)
!21 = !DISubroutineType(types: !24)
!22 = !DILocalVariable(name: "a", arg: 1, scope: !20, file: !2, line: 31, type: !0)
!23 = !DILocation(line: 31, column: 7, scope: !20)
!24 = !{null, null}
!30 = !DIBasicType(name: "unsigned int", size: 32, encoding: DW_ATE_unsigned)
!31 = distinct !DICompositeType(tag: DW_TAG_union_type, scope: !4, file: !2, line: 4, size: 32, elements: !33)
!32 = !DIDerivedType(tag: DW_TAG_typedef, name: "color_t", file: !2, line: 3, baseType: !34)
!33 = !{!35}
!34 = !DICompositeType(tag: DW_TAG_enumeration_type, name: "color", file: !2, line: 3, baseType: !30, size: 32, elements: !36)
!35 = !DIDerivedType(tag: DW_TAG_member, name: "u", scope: !31, file: !2, line: 4, baseType: !0, size: 32)
!36 = !{!37, !38}
!37 = !DIEnumerator(name: "RED", value: 0, isUnsigned: true)
!38 = !DIEnumerator(name: "BIG", value: 4294967295, isUnsigned: true)
!40 = distinct !DICompileUnit(language: DW_LANG_C11, file: !2)
!50 = !DIGlobalVariableExpression(var: !51, expr: !DIExpression())
!51 = distinct !DIGlobalVariable(name: "counter", scope: !40, file: !2, line: 6, type: !70, isLocal: true, isDefinition: true)
!52 = !DIGlobalVariableExpression(var: !53, expr: !DIExpression())
!53 = distinct !DIGlobalVariable(name: "calls", scope: !55, file: !2, line: 14, type: !80, isLocal: true, isDefinition: true)
!54 = !DIGlobalVariableExpression(var: !56, expr: !DIExpression())
!55 = distinct !DILexicalBlock(scope: !9, file: !2, line: 14, column: 1)
!56 = distinct !DIGlobalVariable(scope: null, file: !2, line: 20, type: !70, isLocal: true, isDefinition: true)
!60 = !DILocalVariable(name: "r", arg: 1, scope: !9, file: !2, line: 13, type: !3)
!61 = !DILocation(line: 13, column: 22, scope: !9)
!62 = !DILocalVariable(name: "local", scope: !9, file: !2, line: 14, type: !0)
!70 = !DICompositeType(tag: DW_TAG_array_type, baseType: !71, size: 192, elements: !72)
!71 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !1)
!72 = !{!73, !74, !75}
!73 = !DISubrange(count: 2)
!74 = !DISubrange(count: 3)
!75 = !DISubrange(count: -1)
!80 = !DIDerivedType(tag: DW_TAG_typedef, name: "hidden", scope: !9, file: !2, line: 14, baseType: !81)
!81 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "inner", scope: !9, file: !2, line: 14, size: 32, elements: !82)
!82 = !{}
!83 = !DICompositeType(tag: DW_TAG_structure_type, name: "later", file: !2, line: 1, flags: DIFlagFwdDecl)
!84 = !DIBasicType(name: "complex", size: 128, encoding: DW_ATE_complex_float)
!85 = !DICompositeType(tag: DW_TAG_array_type, baseType: !0, size: 128, flags: DIFlagVector, elements: !86)
!86 = !{!87}
!87 = !DISubrange(count: 4)
!88 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: null, size: 64)
!89 = !DIDerivedType(tag: DW_TAG_atomic_type, baseType: !0)
!90 = !DIBasicType(name: "unsigned char", size: 8, encoding: DW_ATE_unsigned_char)
!91 = !DICompositeType(tag: DW_TAG_enumeration_type, file: !2, line: 3, baseType: !0, size: 32, elements: !92)
!92 = !{!93}
!93 = !DIEnumerator(name: "MINUS", value: -1)
!94 = !DIBasicType(name: "long double", size: 128, encoding: DW_ATE_float)
!95 = !DICompositeType(tag: DW_TAG_array_type, baseType: !0, elements: !96)
!96 = !{!97}
!97 = !DISubrange(count: !62)
"""
KNOWN = read_debug_info(TEXT)


def kind(number):
    """The type of a metadata node."""
    return KNOWN.types[number + 1]


def test_scalars():
    assert kind(0) == CScalar("int", "signed", 4)
    assert kind(1) == CScalar("char", "char", 1)
    assert kind(90) == CScalar("unsigned char", "unsigned", 1)
    assert kind(94) == CScalar("long double", "float", 16)
    assert kind(84) == CScalar("double _Complex", "complex", 16)
    assert kind(85) == CScalar("__attribute__((vector_size(16))) int", "vector", 16)
    assert KNOWN.types[VOID_ID] == CVoid()


def test_derived_types():
    assert kind(88) == CPointer(VOID_ID)
    assert kind(71) == CQualified("const", 2)
    assert kind(89) == CQualified("_Atomic", 1)
    assert kind(32) == CTypedef("color_t", 35)


def test_records():
    assert kind(4) == CRecord(
        "struct", "rec", 16, (CMember("next", 4, 0), CMember("f", 31, 64, 3), CMember("", 32, 96))
    )
    assert kind(31) == CRecord("union", "", 4, (CMember("u", 1, 0),))
    assert kind(83) == CRecord("struct", "later", 0, (), is_complete=False)


def test_members_are_no_types():
    assert 7 not in KNOWN.types


def test_enums():
    assert kind(34) == CEnum("color", 4, False, (("RED", 0), ("BIG", 4294967295)))
    assert kind(91) == CEnum("", 4, True, (("MINUS", -1),))


def test_arrays_of_arrays():
    outer = kind(70)
    middle = KNOWN.types[outer.element]
    assert (outer.count, middle.count, KNOWN.types[middle.element]) == (2, 3, CArray(72, None))
    assert kind(95) == CArray(1, None)


def test_types_inside_functions_have_no_name_outside():
    assert kind(80) == kind(81) == CRecord("struct", "", 4, ())


def test_function():
    work = KNOWN.functions["work"]
    assert (work.type, work.result, work.is_static, work.is_variadic) == (11, 1, True, True)
    assert work.location == Location("/w/t.c", 13)
    named, nameless = work.parameters
    assert (named.name, named.type, named.location) == ("r", 4, Location("/w/t.c", 13, 22))
    assert (nameless.name, nameless.type, nameless.location) == ("", 33, None)


def test_function_without_prototype():
    old = KNOWN.functions["old_style"]
    assert (old.is_prototyped, old.is_variadic, old.is_static) == (False, False, False)
    assert (old.result, [(p.name, p.type) for p in old.parameters]) == (VOID_ID, [("a", 1)])
    assert "no_debug" not in KNOWN.functions


def test_globals():
    assert list(KNOWN.globals) == ["@counter", "@work.calls"]
    calls = KNOWN.globals["@work.calls"]
    assert (calls.name, calls.owner, calls.is_static, calls.location) == ("calls", "work", True, Location("/w/t.c", 14))
    assert KNOWN.globals["@counter"].owner == ""


def test_text_without_debug_information():
    assert read_debug_info("define void @f() {\nx:\n  ret void\n}\n").functions == {}


TYPES = {
    0: CVoid(),
    1: CScalar("int", "signed", 4),
    2: CScalar("char", "char", 1),
    3: CQualified("const", 2),
    4: CPointer(3),
    5: CQualified("const", 4),
    6: CArray(1, 3),
    7: CArray(6, None),
    8: CFunctionType(1, (1, 4)),
    9: CPointer(8),
    10: CPointer(6),
    11: CArray(9, 2),
    12: CFunctionType(9, ()),
    13: CRecord("struct", "s", 4, ()),
    14: CRecord("union", "", 4, ()),
    15: CTypedef("u_t", 14),
    16: CEnum("e", 4, True, ()),
    17: CQualified("volatile", 3),
    18: CQualified("const", 6),
    19: CPointer(18),
    20: CFunctionType(0, (1,), is_variadic=True),
    21: CFunctionType(0, (), is_variadic=True),
    22: CQualified("restrict", 10),
    23: CPointer(14),
    24: CArray(4, 2),
    25: CQualified("const", 24),
    26: CPointer(15),
}


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0, "void x"),
        (1, "int x"),
        (4, "const char *x"),
        (5, "const char *const x"),
        (6, "int x[3]"),
        (7, "int x[][3]"),
        (8, "int x(int, const char *)"),
        (9, "int (*x)(int, const char *)"),
        (10, "int (*x)[3]"),
        (11, "int (*x[2])(int, const char *)"),
        (12, "int (*x(void))(int, const char *)"),
        (13, "struct s x"),
        (15, "u_t x"),
        (16, "enum e x"),
        (17, "volatile const char x"),
        (19, "const int (*x)[3]"),
        (20, "void x(int, ...)"),
        (21, "void x()"),
        (22, "int (*restrict x)[3]"),
        (25, "const char *const x[2]"),
        (26, "u_t *x"),
    ],
)
def test_spelling(number, text):
    assert spell(CTypes(TYPES, {}, {}), number, "x") == text


def test_spelling_without_a_name():
    assert spell(CTypes(TYPES, {}, {}), 9) == "int (*)(int, const char *)"
    assert spell(CTypes(TYPES, {}, {}), 4) == "const char *"


@pytest.mark.parametrize("number", [14, 23])
def test_what_has_no_name_cannot_be_spelt(number):
    with pytest.raises(UnspellableError):
        spell(CTypes(TYPES, {}, {}), number, "x")
