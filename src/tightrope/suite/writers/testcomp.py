"""Tests in the exchange format of Test-Comp: a folder with metadata.xml and one XML file per test, which lists the
values that the program draws with `__VERIFIER_nondet_*`, in the order of the calls.

    <testcase>
      <input type="int">-3</input>
    </testcase>

TestCov and others take the folder as a zip file. Inputs that are not draws (parameters of a function other than `main`)
come first, by name; the format has no other place for them. The second line of a file must be its DOCTYPE, so the
comment that names Tightrope is on the first. Nothing here reads a clock: the time in metadata.xml is that of the suite.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime

from tightrope.inputs.draws import Draw, drawn_slots, draws_of
from tightrope.inputs.scalars import Scalar, bits_to_float, shortest_digits, signed_value
from tightrope.program.declarations.declare import declare, is_spellable
from tightrope.suite.case import Case, Suite, describe_purpose
from tightrope.suite.folder import MARKER
from tightrope.suite.seal import UNSEALED

FOLDER_ENDING = "-testcomp"
METADATA = "metadata.xml"

# What the suite is meant to cover, in the words of the competition; the first that a test serves.
GOALS = {"branch": "@DECISIONEDGE", "line": "@BASICBLOCKENTRY", "statement": "@BASICBLOCKENTRY"}
OTHER_GOAL = "@CONDITIONEDGE"


def write_testcomp(suite: Suite) -> dict[str, str]:
    folder = f"{suite.file_stem}{FOLDER_ENDING}"
    files = {f"{folder}/{METADATA}": _document(suite, "test-metadata", "", _metadata(suite))}
    for case in suite.cases:
        text = _document(suite, "testcase", f", test {case.name}", _inputs(suite, case), _purpose(suite, case))
        files[f"{folder}/{case.name}.xml"] = text
    return files


def _document(suite: Suite, root: str, what: str, body: Iterator[str], remarks: Iterable[str] = ()) -> str:
    written = comment(f"{MARKER} {suite.version}: tests of {suite.function} in {suite.source.name}{what}; {UNSEALED}")
    public = f"+//IDN sosy-lab.org//DTD test-format {root} 1.1//EN"
    lines = [
        f'<?xml version="1.0" encoding="UTF-8" standalone="no"?> {written}',
        f'<!DOCTYPE {root} PUBLIC "{public}" "https://sosy-lab.org/test-format/{root}-1.1.dtd">',
        *remarks,
        f"<{root}>",
        *(f"  {line}" for line in body),
        f"</{root}>",
    ]
    return "\n".join(lines) + "\n"


def comment(text: str) -> str:
    """XML knows no `--` in comments."""
    while "--" in text:
        text = text.replace("--", "- -")
    return f"<!-- {text.rstrip('-')} -->"


def _metadata(suite: Suite) -> Iterator[str]:
    is_narrow = "-m32" in suite.flags
    rows = {
        "sourcecodelang": "C",
        "producer": f"Tightrope {suite.version}".strip(),
        "specification": _specification(suite),
        "programfile": suite.source.name,
        "programhash": suite.program_hash,
        "entryfunction": suite.function,
        "architecture": "32bit" if is_narrow else "64bit",
        "creationtime": datetime.fromtimestamp(suite.created, UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
    }
    for name, value in rows.items():
        yield f"<{name}>{_escape(value, quote=False)}</{name}>"


def _specification(suite: Suite) -> str:
    criteria = {objective.criterion for case in suite.cases for objective in case.objectives}
    goal = next((goal for name, goal in GOALS.items() if name in criteria), OTHER_GOAL)
    return f"COVER( init({suite.function}()), FQL(COVER EDGES({goal})) )"


def _purpose(suite: Suite, case: Case) -> Iterator[str]:
    yield from map(comment, describe_purpose(suite, case))


def _inputs(suite: Suite, case: Case) -> Iterator[str]:
    drawn = drawn_slots(suite.shape)
    for slot in suite.slots:
        if slot.number not in drawn:
            yield f"<input variable={_attribute(slot.path)}>{number_text(slot.scalar, case.input[slot.number])}</input>"
    for draw in draws_of(suite.shape, case.input, case.outputs):
        yield f"<input{_type(suite, draw)}>{number_text(draw.scalar, draw.raw)}</input>"


def _type(suite: Suite, draw: Draw) -> str:
    if draw.type is None or not is_spellable(suite.ctypes, draw.type):
        return ""
    return f" type={_attribute(declare(suite.ctypes, draw.type, '').strip())}"


def _attribute(text: str) -> str:
    return f'"{_escape(text)}"'


def _escape(text: str, *, quote: bool = True) -> str:
    import html  # with its table of entities: few commands write XML

    return html.escape(text, quote)


def number_text(scalar: Scalar, raw: int) -> str:
    """A number as scanf reads it: characters too, and floats with all their digits."""
    if scalar.kind != "float":
        return str(signed_value(scalar, raw))
    value = bits_to_float(raw & scalar.mask, scalar.bits)
    return shortest_digits(value, scalar.bits) if math.isfinite(value) else str(value)
