"""What the pack says about itself: tools, options, files with their hashes, suites, proofs, assumptions."""

from __future__ import annotations

import dataclasses
import importlib.metadata
import os
import platform
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from tightrope.commands.evidence.needed_files import NeededFiles, folder_of
from tightrope.options.options import DEFAULTS, OPTIONS, Options
from tightrope.program.ir.read_ir import llvm_version
from tightrope.report.model import Report, UnitReport
from tightrope.source.toolchain import Compiler, find_gcc
from tightrope.version import __version__

FORMAT = 1  # of the manifest
_PACKAGES = ("llvmlite", "bitwuzla", "z3-solver", "ziglang")
_ABOUT_OUTPUT = frozenset("quiet json html reports evidence keep_proofs jobs cache no_cache spec".split())


def hash_of(file: Path) -> str:
    with open(file, "rb") as stream:
        digest = sha256()
        while block := stream.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


def make_manifest(
    report: Report, options: Options, compiler: Compiler, needed: NeededFiles, proofs: Mapping[str, str]
) -> dict[str, Any]:
    """`proofs`: hash of a formula -> its file in the pack."""
    units = [unit for unit in report.units if not unit.was_refused]
    return {
        "evidence": FORMAT,
        "tool": {"name": "tightrope", "version": __version__},
        "versions": dict(_versions(compiler)),
        "compiler": {"name": str(compiler), "sha256": _compiler_hash(compiler)},
        "machine": {"system": platform.system(), "architecture": platform.machine()},
        "solver": options.solver,
        "seed": options.seed,
        "options": dict(_chosen(options)),
        "functions": [
            {"file": unit.file, "function": unit.function, "command": " ".join(("tightrope", *unit.command))}
            for unit in units
        ],
        "files": [
            {"path": needed.place(file), "kind": kind, "sha256": hash_of(file)} for file, kind in needed.kept.items()
        ],
        "outside": [{"path": _shown(file), "sha256": hash_of(file)} for file in needed.outside],
        "suites": [each for unit in units for each in _suites(unit, needed)],
        "proofs": [each for unit in units for each in _proofs(unit, proofs)],
        "assumptions": list_assumptions(units),
        "not_tested": [
            {"file": unit.file, "function": unit.function, "why": unit.stop_reason}
            for unit in report.units
            if unit.was_refused
        ],
    }


def list_assumptions(units: Sequence[UnitReport]) -> list[dict[str, Any]]:
    """Each once, with the functions that it is made for, in the order of the report."""
    found: dict[str, list[str]] = {}
    for unit in units:
        for text in dict.fromkeys(unit.assumptions):
            found.setdefault(text, []).append(unit.function)
    return [{"text": text, "functions": functions} for text, functions in found.items()]


def _versions(compiler: Compiler) -> Iterator[tuple[str, str]]:
    yield "tightrope", __version__
    yield "python", platform.python_version()
    yield "LLVM", llvm_version()
    yield "compiler", compiler.version
    gcc = find_gcc()
    yield from [("gcc", gcc.version)] if gcc else []
    for name in _PACKAGES:
        try:
            yield name, importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue


def _compiler_hash(compiler: Compiler) -> str:
    """Of the program itself; '' if the command is not the name of a file."""
    files = [Path(word) for word in compiler.command if os.path.isabs(word) and Path(word).is_file()]
    return hash_of(files[0].resolve()) if files else ""


def _chosen(options: Options) -> Iterator[tuple[str, str]]:
    """Options that are not at their defaults, and flags, as far as they may change a result."""
    for field in dataclasses.fields(options):
        value = getattr(options, field.name)
        if field.name in OPTIONS and field.name not in _ABOUT_OUTPUT and value != DEFAULTS[field.name]:
            yield OPTIONS[field.name].flag, _text(value)
    yield from [("flags for the compiler", " ".join(options.flags))] if options.flags else []
    yield from ((f"[function.{name}]", str(sorted(given))) for name, given in options.per_function.items())


def _text(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _shown(file: Path) -> str:
    """Without the folder in which the bundled compiler is installed."""
    text = file.as_posix()
    return f"ziglang{text.partition('/ziglang')[2]}" if "ziglang" in file.parts else text


def _suites(unit: UnitReport, needed: NeededFiles) -> Iterator[dict[str, Any]]:
    for program, commands in unit.builds.items():
        yield {
            "file": unit.file,
            "function": unit.function,
            "program": program,
            "folder": needed.place(folder_of(unit)),
            "commands": list(commands),
            "tests": [test.id for test in unit.tests if not test.suite or test.suite in unit.written],
        }


def _proofs(unit: UnitReport, proofs: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    for each in unit.objectives:
        if each.verdict == "infeasible":
            yield {
                "file": unit.file,
                "objective": each.id,
                "text": each.text,
                "proof": each.proof,
                "why": each.why,
                "formula": each.formula,
                "smt2": proofs.get(each.formula, ""),
            }
