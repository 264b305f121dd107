"""Whether equal keys of the store mean equal results: units, of which a search and all verdicts are made, and reports."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tightrope.commands.generate.unit_report import functions_in
from tightrope.errors import TightropeError
from tightrope.options.options import Options
from tightrope.options.targets import Target
from tightrope.soundness.assumptions import list_assumptions
from tightrope.soundness.doubts import OF_UNIT
from tightrope.source.toolchain import find_compiler
from tightrope.units.code_parts import CodePart, find_beside, find_code_parts
from tightrope.units.linking import forget_files
from tightrope.units.prepare import prepare_file, prepare_unit
from tightrope.units.prepared import PreparedUnit


@dataclass(frozen=True)
class Version:
    """Of a file: what each function depends on, and all that its unit is made of."""

    parts: Mapping[str, CodePart]
    units: Mapping[str, Mapping[str, Any]]
    beside: Mapping[str, Mapping[str, str] | None]

    def has_same_key(self, other: Version, function: str) -> bool:
        """As `find_unit` of known_results.py decides it: what this version depends on is in the other one, too."""
        if function not in self.parts or function not in other.parts:
            return False
        beside = self.beside[function]
        if beside is None or self.parts[function].digest != other.parts[function].digest:
            return False
        return all(name in other.parts and other.parts[name].digest == digest for name, digest in beside.items())


def look_at(file: Path) -> Version:
    """All functions of the file, as it is now."""
    forget_files()
    options = Options((Target(file),), criteria=("mcdc", "branch", "def-use"))
    prepared = prepare_file(find_compiler(), file, options, print)
    parts = find_code_parts(prepared)
    units, beside = {}, {}
    for name in prepared.functions:
        try:
            unit = prepare_unit(prepared, name, options)
        except TightropeError as problem:
            units[name], beside[name] = {"refused": str(problem)}, None
            continue
        units[name] = dict(describe(unit))
        own = parts.get(name)
        beside[name] = find_beside(parts, own, functions_in(unit), is_linked=bool(unit.linked)) if own else None
    return Version(parts, units, beside)


def describe(unit: PreparedUnit) -> Mapping[str, Any]:
    return {
        "shape": re.sub(r"\b(type|target)=\d+", r"\1", repr(unit.shape)),  # numbers of types are those of all types
        "driver": unit.driver.text,
        "code": sorted(_functions(unit.woven.text)),
        "objectives": [(each.id, each.sentence, each.problem) for each in unit.objectives],
        "doubts": [(row.name, *row.find(unit)) for row in OF_UNIT if row.holds(unit)],
        "assumptions": list(list_assumptions(unit)),
        "remarks": unit.remarks,
    }


def _functions(text: str) -> Iterator[str]:
    """Without the numbers of symbols (texts, locals that are static), of metadata, attributes and points: they are those
    of the whole file, or follow the order of the code, in which the compiler has what is used first."""
    for found in re.finditer(r"^define .*?^\}$", text, re.MULTILINE | re.DOTALL):
        plain = re.sub(r"(@[\w.]+?)\.\d+\b|[!#]\d+", r"\1", found[0])
        yield re.sub(r"^.*@tr_.*$", lambda line: re.sub(r"i32 \d+", "i32", line[0]), plain, flags=re.MULTILINE)
