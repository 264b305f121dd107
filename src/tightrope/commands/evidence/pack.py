"""Writes an evidence pack, a folder or a zip file:

README.md      what is here, what it shows, the assumptions to sign
replay.py      checks all of it again: needs Python, a C compiler and an SMT solver, not Tightrope
manifest.json  tools, options, files, suites, proofs
report.json, report.html
tree/          sources, headers and suites, in their places
proofs/        formulas without a solution
SHA256SUMS     of all these files
"""

from __future__ import annotations

import io
import json
import shutil
import tempfile
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

from tightrope.commands.evidence.manifest import make_manifest
from tightrope.commands.evidence.needed_files import find_needed_files
from tightrope.commands.evidence.readme import write_readme
from tightrope.errors import UsageError
from tightrope.options.options import Options
from tightrope.report.as_json import render_json
from tightrope.report.formats import render
from tightrope.report.model import Report
from tightrope.source.toolchain import find_compiler

SUMS = "SHA256SUMS"
REPLAY = "replay.py"
_START = (1980, 1, 1, 0, 0, 0)  # the earliest time of a zip file: the same pack has the same bytes
_READABLE, _EXECUTABLE = 0o644, 0o755


@dataclass(frozen=True, slots=True)
class WrittenPack:
    place: Path
    seal: str  # SHA-256 of SHA256SUMS, and so of everything

    def __str__(self) -> str:
        return f"evidence: {self.place}, seal {self.seal}; `python {REPLAY}` in it checks everything again"


def generate_with_evidence(
    options: Options, generate: Callable[[Options], Report]
) -> tuple[Report, WrittenPack | None]:
    """Generate with everything that a pack needs, and write it; no pack if the work was interrupted. Results of earlier
    commands are not used: their proofs may be gone."""
    assert options.evidence is not None
    _check_place(options.evidence)
    with tempfile.TemporaryDirectory(prefix="tightrope-proofs-") as name:
        proofs = options.keep_proofs or Path(name)
        report = generate(replace(options, keep_proofs=proofs, no_cache=True))
        if report.is_interrupted:
            return report, None
        return report, write_pack(report, options, proofs)


def write_pack(report: Report, options: Options, proofs: Path) -> WrittenPack:
    assert options.evidence is not None
    files = _contents(report, options, proofs)
    sums = "".join(f"{sha256(content).hexdigest()}  {name}\n" for name, content in sorted(files.items()))
    files[SUMS] = sums.encode()
    _check_place(options.evidence)
    (_write_zip if _is_zip(options.evidence) else _write_folder)(options.evidence, files)
    return WrittenPack(options.evidence, sha256(files[SUMS]).hexdigest())


def _contents(report: Report, options: Options, proofs: Path) -> dict[str, bytes]:
    compiler = find_compiler(options.compiler)
    needed = find_needed_files(report, compiler)
    wanted = {each.formula for unit in report.units for each in unit.objectives if each.formula}
    texts = {file.name: file.read_bytes() for file in sorted(proofs.glob("*.smt2"))}
    kept = {name: text for name, text in texts.items() if sha256(text).hexdigest() in wanted}
    places = {sha256(text).hexdigest(): f"proofs/{name}" for name, text in kept.items()}
    manifest = make_manifest(report, options, compiler, needed, places)
    return {
        "README.md": write_readme(report, manifest).encode(),
        REPLAY: Path(__file__).with_name(REPLAY).read_bytes(),
        "manifest.json": (json.dumps(manifest, indent=1, ensure_ascii=False) + "\n").encode(),
        "report.json": render_json(report).encode(),
        "report.html": render(report, "html").encode(),
        **{needed.place(file): file.read_bytes() for file in needed.kept},
        **{f"proofs/{name}": text for name, text in kept.items()},
    }


# -- the place


def _is_zip(place: Path) -> bool:
    return place.suffix.lower() == ".zip"


def _check_place(place: Path) -> None:
    """Refuse to replace anything but an earlier pack."""
    problem = _zip_problem(place) if _is_zip(place) else _folder_problem(place)
    if problem:
        hint = "move it away, or name another place for --evidence"
        raise UsageError(f"--evidence: {problem}: it is left alone", hint=hint, slug="output-exists")


def _zip_problem(place: Path) -> str:
    if not place.exists():
        return ""
    if not zipfile.is_zipfile(place):
        return f"{place} exists and is no evidence pack"
    with zipfile.ZipFile(place) as pack:
        inside = {name: pack.read(name) for name in pack.namelist() if not name.endswith("/")}
    return _problem_of(place, inside)


def _folder_problem(place: Path) -> str:
    if not place.exists() or (place.is_dir() and not any(place.iterdir())):
        return ""
    if not place.is_dir() or not (place / SUMS).is_file():
        return f"{place} exists and is no evidence pack"
    files = [file for file in sorted(place.rglob("*")) if not file.is_dir()]
    return _problem_of(place, {file.relative_to(place).as_posix(): file.read_bytes() for file in files})


def _problem_of(place: Path, inside: Mapping[str, bytes]) -> str:
    """What is not as it was in a pack: somebody may have signed it."""
    if not {SUMS, REPLAY} <= inside.keys():
        return f"{place} exists and is no evidence pack"
    lines = inside[SUMS].decode(errors="replace").splitlines()
    sums = {line[66:]: line[:64] for line in lines}
    for name, content in inside.items():
        if name != SUMS and name not in sums:
            return f"{place} holds {name}, which does not belong to an evidence pack"
        if name != SUMS and sha256(content).hexdigest() != sums[name]:
            return f"{place} holds {name}, which somebody has changed"
    return ""


def _write_folder(place: Path, files: Mapping[str, bytes]) -> None:
    """Under another name first, so that no half-written pack is ever seen."""
    try:
        place.absolute().parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=place.absolute().parent, prefix=f".{place.name}.") as name:
            new = Path(name) / "new"
            for file, content in files.items():
                (new / file).parent.mkdir(parents=True, exist_ok=True)
                (new / file).write_bytes(content)
                (new / file).chmod(_EXECUTABLE if file == REPLAY else _READABLE)
            if place.exists():
                shutil.move(place, Path(name) / "old")
            new.replace(place)
    except OSError as problem:
        raise _cannot_write(place, problem) from None


def _write_zip(place: Path, files: Mapping[str, bytes]) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as pack:
        for name, content in sorted(files.items()):
            entry = zipfile.ZipInfo(name, _START)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (_EXECUTABLE if name == REPLAY else _READABLE) << 16
            pack.writestr(entry, content)
    try:
        place.absolute().parent.mkdir(parents=True, exist_ok=True)
        new = place.with_name(f".{place.name}.new")
        new.write_bytes(packed.getvalue())
        new.replace(place)
    except OSError as problem:
        raise _cannot_write(place, problem) from None


def _cannot_write(place: Path, problem: OSError) -> UsageError:
    reason = problem.strerror or str(problem)
    return UsageError(
        f"cannot write to {place}: {reason}", hint="name another place for --evidence", slug="output-file"
    )
