"""Reads inputs from JSON or CSV files: values by path, as `tightrope inputs` and reports write paths.

    {"cases": [{"name": "empty", "inputs": {"n": 0}}, ...]}      a suite of Tightrope's
    [{"n": 3, "text": "abc"}, {"n": 0}]                          a list; text for an array of characters
    n,*count                                                     CSV: paths, then a line for each input
    3,7

Inputs without a value are zero, as in the first run of a search.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tightrope.errors import UsageError
from tightrope.inputs.input_paths import Steps, read_path, steps_of
from tightrope.inputs.scalars import Input, Slot, encode, first_input
from tightrope.inputs.shape import Elements, InputShape, Leaf, slot_of, slots_of
from tightrope.inputs.whole_program import STDIN, stdin_of

Values = Mapping[str, Any]  # by path


@dataclass(frozen=True, slots=True)
class GivenInput:
    name: str
    values: Values


@dataclass(frozen=True, slots=True)
class GivenInputs:
    """A file of inputs. `function` is '' if the file does not name it."""

    file: Path
    inputs: tuple[GivenInput, ...]
    function: str = ""
    source: str = ""  # the C file that it names


def read_inputs(file: Path) -> GivenInputs:
    try:
        text = file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as problem:
        raise _bad(file, f"cannot be read: {problem}") from None
    return _from_csv(file, text) if file.suffix.lower() == ".csv" else _from_json(file, text)


def _from_json(file: Path, text: str) -> GivenInputs:
    try:
        found = json.loads(text)
    except json.JSONDecodeError as problem:
        raise _bad(file, f"is not valid JSON: {problem}") from None
    if isinstance(found, Mapping) and isinstance(found.get("cases"), list):
        rows = [(each.get("name"), each.get("inputs")) for each in found["cases"] if isinstance(each, Mapping)]
        function, source = str(found.get("function", "")), str(found.get("file", ""))
        return GivenInputs(file, tuple(_inputs(file, rows)), function, source)
    if isinstance(found, Mapping):
        return GivenInputs(file, tuple(_inputs(file, [(None, found)])))
    if isinstance(found, list):
        return GivenInputs(file, tuple(_inputs(file, [(None, each) for each in found])))
    raise _bad(file, "holds neither a list of inputs nor a suite")


def _from_csv(file: Path, text: str) -> GivenInputs:
    rows = [row for row in csv.reader(io.StringIO(text)) if any(cell.strip() for cell in row)]
    if not rows:
        raise _bad(file, "has no line with the paths of inputs")
    paths = [cell.strip() for cell in rows[0]]
    for number, row in enumerate(rows[1:], 2):
        if len(row) != len(paths):
            raise _bad(file, f"has {len(row)} values in row {number}, and {len(paths)} paths")
    values = [{path: cell for path, cell in zip(paths, row, strict=True) if cell.strip()} for row in rows[1:]]
    return GivenInputs(file, tuple(_inputs(file, [(None, each) for each in values])))


def _inputs(file: Path, rows: Sequence[tuple[Any, Any]]) -> Iterator[GivenInput]:
    for number, (name, values) in enumerate(rows, 1):
        if not isinstance(values, Mapping):
            raise _bad(file, f"does not have values by path as input {number}")
        yield GivenInput(str(name) if name else f"{file.name}:{number}", values)


def _bad(file: Path, what: str) -> UsageError:
    hint = 'write [{"PATH": VALUE, ...}, ...] with the paths that `tightrope inputs` prints, or CSV with paths on top'
    return UsageError(f"{file} {what}", hint=hint, slug="suite-inputs")


# -- values to slots


def to_input(given: GivenInput, shape: InputShape) -> Input:
    """The number in each slot."""
    slots = slots_of(shape)
    by_path = {steps_of(slot.path) or (slot.path,): slot for slot in slots}
    numbers = list(first_input(slots))
    for path, value in given.values.items():
        for slot, one in _slots_for(given, path, value, by_path, shape):
            numbers[slot.number] = encode(slot.scalar, one, f"{given.name}: {slot.path}")
    return tuple(numbers)


def _slots_for(
    given: GivenInput, path: str, value: Any, by_path: Mapping[Steps, Slot], shape: InputShape
) -> Iterator[tuple[Slot, Any]]:
    if path == STDIN and isinstance(value, str):
        yield from _standard_input(shape, value)
        return
    steps = _steps(given, path)
    if steps in by_path and not (isinstance(value, str) and _is_text(steps, value, by_path)):
        yield by_path[steps], value
        return
    items = _elements(value)
    if items is None or (*steps, "[0]") not in by_path:
        raise _unknown(given, path, by_path)
    for index, item in enumerate(items):
        below = (*steps, f"[{index}]")
        if below not in by_path:
            raise _too_long(given, path, index)
        slot = by_path[below]
        yield _character(slot, item) if isinstance(value, str) else (slot, item)


def _is_text(steps: Steps, value: str, by_path: Mapping[Steps, Slot]) -> bool:
    """True for the text of an array, False for a word of the pointer's own (`NULL`, `an object`)."""
    words = [word for word, _ in by_path[steps].scalar.members]
    return by_path[steps].scalar.kind == "choice" and value not in words and (*steps, "[0]") in by_path


def _steps(given: GivenInput, path: str) -> Steps:
    try:
        return read_path(path)
    except ValueError:
        return (path,)  # what only we have a name for


def _elements(value: Any) -> list[Any] | None:
    if isinstance(value, str):
        return list(value.encode("latin-1", errors="replace"))
    return value if isinstance(value, list) else None


def _standard_input(shape: InputShape, text: str) -> Iterator[tuple[Slot, Any]]:
    slots = {slot.number: slot for slot in slots_of(shape)}
    content = text.encode("latin-1", errors="replace")
    for root in stdin_of(shape):
        if isinstance(root.shape, Leaf):
            yield slots[slot_of(root.shape)], len(content)
        elif isinstance(root.shape, Elements):
            leaves = [one for one in root.shape.elements if isinstance(one, Leaf)]
            yield from (_character(slots[slot_of(leaf)], byte) for leaf, byte in zip(leaves, content, strict=False))


def _character(slot: Slot, byte: int) -> tuple[Slot, int]:
    """A byte of a text, as a value of its element."""
    return slot, byte - 256 if byte > 127 and slot.scalar.is_signed else byte


def _unknown(given: GivenInput, path: str, by_path: Mapping[Steps, Slot]) -> UsageError:
    known = [slot.path for slot in by_path.values()]
    shown = ", ".join(known[:8]) + (", ..." if len(known) > 8 else "")
    hint = f"there are {shown}; `tightrope inputs` shows them all" if known else "the function has no inputs"
    return UsageError(f"{given.name}: there is no input `{path}`", hint=hint, slug="no-such-input")


def _too_long(given: GivenInput, path: str, index: int) -> UsageError:
    hint = f"say how many elements it has: --input '{path}=array N', or 'string N' for text"
    return UsageError(f"{given.name}: `{path}` has only {index} elements", hint=hint, slug="input-value")
