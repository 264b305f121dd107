"""Debug information -> what C knows: types, function definitions, globals. And back: a type as C text.

Reads the raw text (before SROA), because there every parameter still has a `#dbg_declare` whose
location is that of its name.

A type's number is its metadata number plus one: number 0 is `void`, which LLVM writes as `null`. Types
without a node of their own (the inner rows of `int a[2][3]`) are numbered after all nodes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from tightrope.location import Location
from tightrope.program.declarations.c_types import (
    VOID_ID,
    CArray,
    CEnum,
    CFunction,
    CFunctionType,
    CGlobal,
    CMember,
    CParameter,
    CPointer,
    CQualified,
    CRecord,
    CScalar,
    CType,
    CTypedef,
    CTypes,
    CVoid,
    TypeId,
)
from tightrope.program.ir.lexer import NAME, cut_attachments, cut_header_attachments, debug_number
from tightrope.program.ir.metadata import Metadata, MetadataNode, as_reference, read_metadata

_RECORD = re.compile(r"^    #dbg_(?:declare|value)\(.*, !(\d+), !DIExpression\(.*\), !(\d+)\)$", re.MULTILINE)
_DEFINITION = re.compile(r"^define .*$", re.MULTILINE)
_GLOBAL = re.compile(rf"^(@{NAME}) = .*$", re.MULTILINE)

_KINDS = {
    "DW_ATE_signed": "signed",
    "DW_ATE_signed_char": "signed",
    "DW_ATE_unsigned": "unsigned",
    "DW_ATE_unsigned_char": "unsigned",
    "DW_ATE_UTF": "unsigned",
    "DW_ATE_boolean": "bool",
    "DW_ATE_float": "float",
    "DW_ATE_complex_float": "complex",
}
_QUALIFIERS = {
    "DW_TAG_const_type": "const",
    "DW_TAG_volatile_type": "volatile",
    "DW_TAG_restrict_type": "restrict",
    "DW_TAG_atomic_type": "_Atomic",
}
_COMPLEX_NAMES = {8: "float _Complex", 16: "double _Complex", 32: "long double _Complex"}
_MEMBER = "!DIDerivedType(tag: DW_TAG_member,"
_FUNCTION_SCOPES = ("DISubprogram", "DILexicalBlock", "DILexicalBlockFile")


def read_debug_info(raw_text: str) -> CTypes:
    """What the debug information of a module's raw text says."""
    metadata = read_metadata(raw_text)
    reader = _TypeReader(metadata, next_id=max(metadata.texts, default=0) + 2)
    types = reader.read_types()
    return CTypes(types, _read_functions(raw_text, metadata, types), _read_globals(raw_text, metadata))


def _type_id(number: int | None) -> TypeId:
    return VOID_ID if number is None else number + 1


@dataclass(slots=True)
class _TypeReader:
    metadata: Metadata
    next_id: TypeId
    extra: dict[TypeId, CType] = field(default_factory=dict)  # types without a node of their own

    def read_types(self) -> Mapping[TypeId, CType]:
        types: dict[TypeId, CType] = {VOID_ID: CVoid()}
        for number, text in self.metadata.texts.items():
            read = _NODE_READERS.get(text[1 : text.find("(")])
            if read and not text.startswith(_MEMBER):
                types[number + 1] = read(self, self.metadata.node(number))
        return _skip_nameless(types | self.extra)

    def read_scalar(self, node: MetadataNode) -> CType:
        name, size = node.string("name"), node.number("size") // 8
        kind = _KINDS.get(node.fields.get("encoding", ""), "unsigned")
        if kind == "complex":
            name = _COMPLEX_NAMES.get(size, name)
        return CScalar("__fp16" if name == "half" else name, "char" if name == "char" else kind, size)

    def read_derived(self, node: MetadataNode) -> CType:
        """Pointers, qualifiers, typedefs. A typedef inside a function has no name that a driver could use."""
        tag, target = node.fields["tag"], _type_id(node.reference("baseType"))
        if tag == "DW_TAG_pointer_type":
            return CPointer(target)
        if tag in _QUALIFIERS:
            return CQualified(_QUALIFIERS[tag], target)
        return CTypedef("" if self._is_local(node) else node.string("name"), target)

    def read_composite(self, node: MetadataNode) -> CType:
        tag = node.fields["tag"]
        if tag == "DW_TAG_array_type":
            return self._read_vector(node) if "Vector" in node.fields.get("flags", "") else self._read_array(node)
        if tag == "DW_TAG_enumeration_type":
            return self._read_enum(node)
        return self._read_record(node, "union" if tag == "DW_TAG_union_type" else "struct")

    def read_function(self, node: MetadataNode) -> CType:
        """The first of the types is the result; a null at the end stands for `...` or for no prototype."""
        result, *parameters = self._list(node, "types") or ("null",)
        is_open = parameters[-1:] == ["null"]
        named = parameters[:-1] if is_open else parameters
        return CFunctionType(_type_id(as_reference(result)), tuple(_type_id(as_reference(p)) for p in named), is_open)

    def _list(self, node: MetadataNode, name: str) -> tuple[str, ...]:
        number = node.reference(name)
        return () if number is None else self.metadata.node(number).items

    def _nodes(self, node: MetadataNode, name: str) -> Iterator[MetadataNode]:
        for item in self._list(node, name):
            number = as_reference(item)
            if number is not None:
                yield self.metadata.node(number)

    def _read_array(self, node: MetadataNode) -> CType:
        """`int a[2][3]` is one node with two ranges; the inner rows get numbers after all nodes."""
        counts = [_read_count(subrange) for subrange in self._nodes(node, "elements")] or [None]
        element = _type_id(node.reference("baseType"))
        for count in reversed(counts[1:]):
            row = self.next_id + len(self.extra)
            self.extra[row] = CArray(element, count)
            element = row
        return CArray(element, counts[0])

    def _read_vector(self, node: MetadataNode) -> CType:
        size = node.number("size") // 8
        element = self.metadata.node(node.reference("baseType") or 0)
        return CScalar(f"__attribute__((vector_size({size}))) {element.string('name')}", "vector", size)

    def _read_enum(self, node: MetadataNode) -> CType:
        members = tuple((member.string("name"), member.number("value")) for member in self._nodes(node, "elements"))
        return CEnum(self._tag(node), node.number("size") // 8, self._is_signed(node), members)

    def _is_signed(self, enum: MetadataNode) -> bool:
        number = enum.reference("baseType")
        while number is not None and self.metadata.node(number).kind == "DIDerivedType":
            number = self.metadata.node(number).reference("baseType")
        return number is None or "unsigned" not in self.metadata.node(number).fields.get("encoding", "")

    def _read_record(self, node: MetadataNode, kind: str) -> CType:
        members = tuple(_read_member(m) for m in self._nodes(node, "elements") if m.kind == "DIDerivedType")
        is_complete = "DIFlagFwdDecl" not in node.fields.get("flags", "")
        return CRecord(kind, self._tag(node), node.number("size") // 8, members, is_complete)

    def _tag(self, node: MetadataNode) -> str:
        """A tag that a driver outside the function could use; '' when there is none."""
        return "" if self._is_local(node) else node.string("name")

    def _is_local(self, node: MetadataNode) -> bool:
        """True when the type, or the record it stands in, is declared inside a function."""
        scope = node.reference("scope")
        while scope is not None:
            outer = self.metadata.node(scope)
            if outer.kind in _FUNCTION_SCOPES:
                return True
            scope = outer.reference("scope") if outer.kind == "DICompositeType" else None
        return False


_NODE_READERS: Mapping[str, Callable[[_TypeReader, MetadataNode], CType]] = {
    "DIBasicType": _TypeReader.read_scalar,
    "DIDerivedType": _TypeReader.read_derived,
    "DICompositeType": _TypeReader.read_composite,
    "DISubroutineType": _TypeReader.read_function,
}


def _skip_nameless(types: Mapping[TypeId, CType]) -> Mapping[TypeId, CType]:
    """Put in place of each typedef without a usable name what it stands for."""

    def find(kind: CType) -> CType:
        return find(types[kind.target]) if isinstance(kind, CTypedef) and not kind.name else kind

    return {number: find(kind) for number, kind in types.items()}


def _read_count(subrange: MetadataNode) -> int | None:
    count = subrange.number("count", -1)  # a variable-length array has a reference here
    return count if count >= 0 else None


def _read_member(node: MetadataNode) -> CMember:
    is_bit_field = "DIFlagBitField" in node.fields.get("flags", "")
    return CMember(
        node.string("name"),
        _type_id(node.reference("baseType")),
        node.number("offset"),
        node.number("size") if is_bit_field else None,
    )


def _read_functions(text: str, metadata: Metadata, types: Mapping[TypeId, CType]) -> Mapping[str, CFunction]:
    parameters = _read_parameters(text, metadata)
    functions: dict[str, CFunction] = {}
    for line in _DEFINITION.findall(text):
        number = debug_number(cut_header_attachments(line)[1])
        if number is not None:
            function = _build_function(metadata, types, number, parameters.get(number, {}))
            functions.setdefault(function.name, function)
    return functions


def _read_parameters(text: str, metadata: Metadata) -> Mapping[int, Mapping[int, CParameter]]:
    """For each DISubprogram, its parameters by position (from 1), as its debug records tell them."""
    found: dict[int, dict[int, CParameter]] = {}
    for variable, place in _RECORD.findall(text):
        node = metadata.node(int(variable))
        position, owner = node.number("arg"), node.reference("scope")
        if position and owner is not None:
            parameter = CParameter(node.string("name"), _type_id(node.reference("type")), metadata.place(int(place)))
            found.setdefault(owner, {}).setdefault(position, parameter)
    return found


def _build_function(
    metadata: Metadata, types: Mapping[TypeId, CType], number: int, named: Mapping[int, CParameter]
) -> CFunction:
    node = metadata.node(number)
    type_id = _type_id(node.reference("type"))
    kind = types[type_id]
    assert isinstance(kind, CFunctionType)
    is_prototyped = "DIFlagPrototyped" in node.fields.get("flags", "")
    count = len(kind.parameters) if is_prototyped else max(named, default=0)
    return CFunction(
        node.string("name"),
        type_id,
        kind.result,
        tuple(named.get(at + 1) or CParameter("", kind.parameters[at]) for at in range(count)),
        metadata.definition(number) or Location("", 0),
        is_static="DISPFlagLocalToUnit" in node.fields.get("spFlags", ""),
        is_variadic=kind.is_variadic and is_prototyped,
        is_prototyped=is_prototyped,
    )


def _read_globals(text: str, metadata: Metadata) -> Mapping[str, CGlobal]:
    globals_: dict[str, CGlobal] = {}
    for found in _GLOBAL.finditer(text):
        number = debug_number(cut_attachments(found.group())[1])
        variable = metadata.node(number).reference("var") if number is not None else None
        if variable is not None and metadata.node(variable).string("name"):
            globals_[found.group(1)] = _build_global(metadata, found.group(1), variable)
    return globals_


def _build_global(metadata: Metadata, ir_name: str, number: int) -> CGlobal:
    node = metadata.node(number)
    return CGlobal(
        node.string("name"),
        ir_name,
        _type_id(node.reference("type")),
        metadata.definition(number) or Location("", 0),
        is_static=node.fields.get("isLocal") == "true",
        owner=_find_owner(metadata, node.reference("scope")),
    )


def _find_owner(metadata: Metadata, scope: int | None) -> str:
    """The function around a static local."""
    while scope is not None:
        node = metadata.node(scope)
        if node.kind == "DISubprogram":
            return node.string("name")
        scope = node.reference("scope") if node.kind in _FUNCTION_SCOPES else None
    return ""


class UnspellableError(ValueError):
    """A type that has no name: C offers no way to declare another object of it."""


def spell(ctypes: CTypes, number: TypeId, declarator: str = "") -> str:
    """The C declaration of `declarator` with this type: `int (*x)(int, char *)`, `unsigned char x[4][2]`.

    Raises UnspellableError for an anonymous struct, union or enum without a typedef.
    """
    return _spell(ctypes, number, declarator, ())


def _spell(ctypes: CTypes, number: TypeId, declarator: str, qualifiers: tuple[str, ...]) -> str:
    """C declarations are written inside out: each type wraps the declarator and passes it to the type it is made of."""
    kind = ctypes.types[number]
    if isinstance(kind, CQualified):
        return _spell(ctypes, kind.target, declarator, (*qualifiers, kind.qualifier))
    if isinstance(kind, CPointer):
        return _spell(ctypes, kind.target, _point(ctypes, kind, declarator, qualifiers), ())
    if isinstance(kind, CArray):
        count = "" if kind.count is None else kind.count
        return _spell(ctypes, kind.element, f"{declarator}[{count}]", qualifiers)
    if isinstance(kind, CFunctionType):
        return _spell(ctypes, kind.result, f"{declarator}({_spell_parameters(ctypes, kind)})", ())
    words = (*qualifiers, _base_name(kind), declarator)
    return " ".join(word for word in words if word)


def _point(ctypes: CTypes, pointer: CPointer, declarator: str, qualifiers: tuple[str, ...]) -> str:
    """`*const x`, in brackets when an array or function follows."""
    inner = "*" + " ".join(word for word in (*qualifiers, declarator) if word)
    target = ctypes.types[pointer.target]
    while isinstance(target, CQualified):
        target = ctypes.types[target.target]
    return f"({inner})" if isinstance(target, CArray | CFunctionType) else inner


def _spell_parameters(ctypes: CTypes, kind: CFunctionType) -> str:
    if not kind.parameters:
        return "" if kind.is_variadic else "void"
    named = [spell(ctypes, parameter) for parameter in kind.parameters]
    return ", ".join([*named, "..."] if kind.is_variadic else named)


# The compiler's own struct behind `va_list` cannot be named by its tag: that would declare another one.
_VARIABLE_ARGUMENTS = {"__va_list_tag": "__typeof__(**(__builtin_va_list *)0)", "__va_list": "__builtin_va_list"}


def _base_name(kind: CType) -> str:
    if isinstance(kind, CVoid):
        return "void"
    if isinstance(kind, CScalar | CTypedef):
        return kind.name
    if isinstance(kind, CRecord) and kind.tag in _VARIABLE_ARGUMENTS:
        return _VARIABLE_ARGUMENTS[kind.tag]
    if isinstance(kind, CRecord | CEnum) and kind.tag:
        return f"{kind.kind if isinstance(kind, CRecord) else 'enum'} {kind.tag}"
    raise UnspellableError(f"{kind} has neither a tag nor a typedef")
