"""Cobertura XML, which Jenkins, GitLab, Azure and others show beside the source. It knows lines and branches, no MC/DC.

A package is a folder, a class is a file, a method is a function. Infeasible sides of branches are not counted.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import PurePosixPath
from xml.etree.ElementTree import Element, SubElement

from tightrope.report.formats.file_coverage import BranchSides, CountedSide, FileCoverage, count_covered, cover_files
from tightrope.report.formats.xml_text import render_xml
from tightrope.report.model import Report, percent

DOCTYPE = "<!DOCTYPE coverage SYSTEM 'http://cobertura.sourceforge.net/xml/coverage-04.dtd'>"


def render_cobertura(report: Report) -> str:
    files = cover_files(report)
    root = Element("coverage", _counts(files) | {"version": report.tool.version, "timestamp": "0"})
    SubElement(SubElement(root, "sources"), "source").text = "."
    packages = SubElement(root, "packages")
    folders: dict[str, list[FileCoverage]] = {}
    for file in files:
        folders.setdefault(str(PurePosixPath(file.file).parent), []).append(file)
    for name, members in folders.items():
        rates = _rates(members)
        package = SubElement(packages, "package", {"name": name.replace("/", ".").strip(".") or "."} | rates)
        classes = SubElement(package, "classes")
        for file in members:
            _add_class(classes, file)
    return render_xml(root, report, DOCTYPE)


def _counts(files: Sequence[FileCoverage]) -> dict[str, str]:
    covered, total = _line_counts(files)
    sides, every = count_covered(_sides(files))
    return {
        **_rates(files),
        "lines-covered": str(covered),
        "lines-valid": str(total),
        "branches-covered": str(sides),
        "branches-valid": str(every),
    }


def _rates(files: Sequence[FileCoverage]) -> dict[str, str]:
    branches = _rate(*count_covered(_sides(files)))
    return {"line-rate": _rate(*_line_counts(files)), "branch-rate": branches, "complexity": "0"}


def _line_counts(files: Iterable[FileCoverage]) -> tuple[int, int]:
    counts = [tests for file in files for tests in file.lines.values()]
    return sum(tests > 0 for tests in counts), len(counts)


def _sides(files: Iterable[FileCoverage]) -> list[CountedSide]:
    return [side for file in files for side in file.sides()]


def _rate(part: int, whole: int) -> str:
    """Never rounded to 1 or 0."""
    rate = f"{percent(part, whole) / 100:.4f}"
    if part != whole and rate == "1.0000":
        return "0.9999"
    return "0.0001" if part and rate == "0.0000" else rate


def _add_class(classes: Element, file: FileCoverage) -> None:
    name = PurePosixPath(file.file).name.replace(".", "_")
    found = SubElement(classes, "class", {"name": name, "filename": file.file} | _rates([file]))
    methods = SubElement(found, "methods")
    for function in file.functions.values():
        counts = {row.line: row.tests for row in function.lines}
        rates = {"line-rate": _rate(sum(tests > 0 for tests in counts.values()), len(counts))}
        own = [side for line in counts for row in file.branches.get(line, ()) for side in row.sides]
        rates["branch-rate"] = _rate(*count_covered(own))
        method = SubElement(
            methods, "method", {"name": function.function, "signature": "()", "complexity": "0"} | rates
        )
        _add_lines(method, counts, file)
    _add_lines(found, file.lines, file)


def _add_lines(parent: Element, counts: dict[int, int], file: FileCoverage) -> None:
    lines = SubElement(parent, "lines")
    for line, tests in counts.items():
        branches = [row for row in file.branches.get(line, ()) if count_covered(row.sides)[1]]
        found = SubElement(lines, "line", {"number": str(line), "hits": str(tests), "branch": "false"})
        if branches:
            covered, total = count_covered(side for row in branches for side in row.sides)
            found.set("branch", "true")
            found.set("condition-coverage", f"{_whole(covered, total)}% ({covered}/{total})")
            _add_conditions(SubElement(found, "conditions"), branches)


def _add_conditions(parent: Element, branches: Sequence[BranchSides]) -> None:
    for number, row in enumerate(branches):
        covered, total = count_covered(row.sides)
        kind = "jump" if len(row.sides) == 2 else "switch"
        SubElement(parent, "condition", {"number": str(number), "type": kind, "coverage": f"{_whole(covered, total)}%"})


def _whole(part: int, whole: int) -> int:
    """Per cent, rounded down, so that 100 means all."""
    return 100 * part // whole if whole else 100
