"""The functions of flex, make and bash that E2 and E3 are about: those of bench/real and some more."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.real.debian import Archive
from bench.real.listed import Listed, read_list
from bench.real.packages import PACKAGES, obtain

PROJECTS = ("flex", "make", "bash")  # those of paper 001
MORE = Path(__file__).resolve().parents[2] / "experiments" / "more_functions.toml"


@dataclass(frozen=True, slots=True)
class RealUnit:
    """A function on this machine."""

    name: str  # flex/src/misc.c:myesc
    project: str
    file: Path
    function: str
    build_dir: Path


def listed_units(only: Sequence[str] = ()) -> list[Listed]:
    """Project by project, those of bench first."""
    everything = [*read_list(), *read_list(MORE)]
    return [each for project in PROJECTS for each in everything if each.package == project and each.fits(only)]


def obtain_units(listed: Sequence[Listed], folder: Path) -> tuple[list[RealUnit], dict[str, str]]:
    """Fetches and prepares the packages, unless `folder` has them (bench/real shares it); also gives the versions."""
    (folder / "apt").mkdir(parents=True, exist_ok=True)
    archive, ready = Archive(folder / "apt"), {}
    for name in dict.fromkeys(each.package for each in listed):
        ready[name] = obtain(PACKAGES[name], folder / "packages", archive)
        print(f"{name}: version {ready[name].version}", file=sys.stderr)
    units = [
        RealUnit(
            each.name, each.package, ready[each.package].folder / each.file, each.function, ready[each.package].folder
        )
        for each in listed
    ]
    return units, {name: package.version for name, package in ready.items()}
