"""Names of registers, from macros and members."""

from __future__ import annotations

import pytest

from tightrope.program.declarations.c_types import (
    VOID_ID,
    CArray,
    CMember,
    CQualified,
    CRecord,
    CScalar,
    CType,
    CTypedef,
    CTypes,
    CVoid,
)
from tightrope.program.declarations.stubs import RegisterAccess
from tightrope.program.devices.register_names import (
    MacroAddress,
    ask_for_expansions,
    make_register_stubs,
    mentioned_macros,
    name_registers,
    read_expansions,
)

TYPES: dict[int, CType] = {
    VOID_ID: CVoid(),
    1: CScalar("unsigned int", "unsigned", 4),
    2: CTypedef("uint32_t", 1),
    3: CQualified("volatile", 2),
    4: CArray(3, 2),
    5: CRecord("struct", "", 16, (CMember("CR", 3, 0), CMember("SR", 3, 32), CMember("BRR", 4, 64))),
    6: CTypedef("UART", 5),
    7: CRecord("struct", "bits", 4, (CMember("EN", 1, 0, bit_size=1), CMember("MODE", 1, 1, bit_size=3))),
    8: CRecord("struct", "timer", 8, (CMember("CTRL", 7, 0), CMember("COUNT", 3, 32))),
}
CTYPES = CTypes(TYPES, {}, {})


def names(*places: tuple[int, int], macros: list[MacroAddress], symbols: dict[str, int] | None = None) -> list[str]:
    accesses = [RegisterAccess(address, size, is_write=False) for address, size in places]
    return [one.name for one in name_registers(CTYPES, accesses, macros, symbols or {}).values()]


@pytest.mark.parametrize(
    ("expansion", "found"),
    [
        ("(*(volatile uint32_t *)0x40020018)", MacroAddress("M", 0x40020018, is_value=True)),
        ("(*((volatile unsigned char *)((0x05) + 0x20)))", MacroAddress("M", 0x25, is_value=True)),
        ("((UART *)((uint32_t)0x40000000 + 0x11000UL))", MacroAddress("M", 0x40011000, "UART")),
        ("((volatile struct timer *) (1UL << 30))", MacroAddress("M", 0x40000000, "timer")),
        ("((UART *)0x40011000)->BRR[1]", MacroAddress("M", 0x4001100C, is_value=True)),
        ("(((UART *)0x40011000)->SR)", MacroAddress("M", 0x40011004, is_value=True)),
        ("((UART *)base)", None),
        ("0x40011000", None),
        ("((UART *)0)", None),
        ("((UART *)0x40011000)->nothing", None),
    ],
)
def test_what_a_macro_stands_for(expansion: str, found: MacroAddress | None) -> None:
    text = ask_for_expansions(["M"]).replace('"M" M', f'"M" {expansion}')
    assert read_expansions(f"int x;\n{text}", CTYPES) == ((found,) if found else ())


def test_macros_are_found_through_others_and_not_in_directives() -> None:
    definitions = (
        "#define BASE 0x40\n#define PORT ((P *)BASE)\n#define SET(p) ((p) == OTHER)\n#define OTHER 1\n#define NO 2\n"
    )
    text = "#define NO 2\nint f(void) { return SET(PORT); }\n"
    assert mentioned_macros(definitions, text) == ("PORT", "OTHER", "BASE")


def test_a_macro_for_the_value_a_member_or_the_address() -> None:
    macros = [MacroAddress("LED", 0x50, is_value=True), MacroAddress("U1", 0x100, "UART"), MacroAddress("P", 0x60)]
    places = [(0x50, 1), (0x104, 4), (0x10C, 4), (0x60, 2), (0x70, 4)]
    assert names(*places, macros=macros) == ["LED", "U1->SR", "U1->BRR[1]", "*P", "0x70"]


def test_bit_fields_have_the_name_of_what_contains_them() -> None:
    macros = [MacroAddress("T", 0x100, "timer")]
    assert names((0x100, 4), (0x104, 4), (0x104, 1), macros=macros) == ["T->CTRL", "T->COUNT", "0x104"]


def test_two_widths_at_one_address_have_two_names() -> None:
    macros = [MacroAddress("DR", 0x100, is_value=True)]
    assert names((0x100, 1), (0x100, 2), (0x100, 4), macros=macros) == ["DR", "0x100", "0x100_4"]


def test_members_of_a_variable() -> None:
    accesses = [RegisterAccess(4, 4, is_write=True, symbol="DEVICE"), RegisterAccess(0, 4, is_write=False, symbol="X")]
    found = name_registers(CTYPES, accesses, [], {"DEVICE": 6, "X": 3})
    assert [one.name for one in found.values()] == ["DEVICE.SR", "X"]
    ctypes, (write, read) = make_register_stubs(CTYPES, accesses, found, 4)
    assert (write.name, write.register_name, read.name) == (
        "tightrope_write_DEVICE_SR",
        "DEVICE.SR",
        "tightrope_read_X",
    )
    assert ctypes.types[write.type].parameters == (2,)
