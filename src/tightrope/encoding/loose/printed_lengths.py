"""How many characters `sprintf` and its kin report, whatever their arguments are.

    "%d"      1 to 11       "%5.1f"   5 to 313      "%s"     nothing is known: a long string is an error
    "%02X%c"  3 to 9        "%1.17g"  1 to 25       "%*d"    nothing is known

C lets them fail only where a wide character has no encoding, or for more than INT_MAX characters. Printing to a stream
can fail at any time, so that nothing is known of `printf`.
"""

from __future__ import annotations

import re
from collections.abc import Callable

INT_MAX = (1 << 31) - 1
POINT = 2  # bytes of a decimal point: "." or ",", and U+066B in some locales
LONGEST_NAN = 24  # also "-infinity" and "-nan(0xfffffffffffff)"
_WHOLE_DIGITS, _EXPONENT = 309, len("e-324")
_BITS = {"hh": 8, "h": 16, "": 32, "l": 64, "ll": 64, "j": 64, "z": 64, "t": 64}
_CONVERSION = re.compile(
    rb"%(?:(?P<percent>%)|(?P<flags>[-+ #0]*)(?P<width>\d*)(?P<point>\.(?P<precision>\d*))?(?P<size>hh|h|ll|l|j|z|t|)"
    rb"(?P<letter>[diouxXcsfFeEgG]))"
)
Range = tuple[int, int]


def printed_length(form: bytes) -> Range | None:
    """The least and the most characters; None if there is no limit, or something that this does not know."""
    least, most, end = 0, 0, 0
    for each in _CONVERSION.finditer(form):
        literal = form[end : each.start()]
        found = (1, 1) if each["percent"] else _converted(each)
        if b"%" in literal or found is None:
            return None
        least, most, end = least + len(literal) + found[0], most + len(literal) + found[1], each.end()
    rest = form[end:]
    if b"%" in rest or most + len(rest) > INT_MAX:
        return None
    return least + len(rest), most + len(rest)


def _converted(each: re.Match[bytes]) -> Range | None:
    precision = int(each["precision"] or 0) if each["point"] else None
    found = _KINDS[each["letter"].decode()](each, precision)
    width = int(each["width"] or 0)
    return found and (max(found[0], width), max(found[1], width))


def _integer(how: re.Match[bytes], precision: int | None) -> Range:
    letter, bits = how["letter"].decode(), _BITS[how["size"].decode()]
    largest = 1 << (bits - 1) if letter in "di" else (1 << bits) - 1
    digits = len(format(largest, {"o": "o", "x": "x", "X": "x"}.get(letter, "d")))
    prefix = {"o": 1, "x": len("0x"), "X": len("0X")}.get(letter, 0) if b"#" in how["flags"] else 0
    before = len("-") if letter in "di" else prefix
    return (1, digits + before) if precision is None else (precision, max(digits, precision) + before)


def _character(how: re.Match[bytes], precision: int | None) -> Range | None:
    return None if how["size"] else (1, 1)


def _string(how: re.Match[bytes], precision: int | None) -> Range | None:
    return None if how["size"] or precision is None else (0, precision)


def _real(how: re.Match[bytes], precision: int | None) -> Range | None:
    if how["size"] not in (b"", b"l"):
        return None
    digits = 6 if precision is None else precision
    all_behind = {"f": digits + _WHOLE_DIGITS, "e": 1 + digits + _EXPONENT, "g": max(digits, 1) + _EXPONENT}
    behind = all_behind[how["letter"].decode().lower()]
    return 1, max(1 + POINT + behind, LONGEST_NAN)


_KINDS: dict[str, Callable[[re.Match[bytes], int | None], Range | None]] = {
    **dict.fromkeys("diouxX", _integer),
    "c": _character,
    "s": _string,
    **dict.fromkeys("fFeEgG", _real),
}
