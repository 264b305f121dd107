"""The packages: which version, and what must be configured or generated before a file of theirs compiles.

Each recipe leaves a compile_commands.json behind, the way a user of such a project would get one: from CMake, or from a
build that is watched (recorder.py), or, where there is no ./configure, from a few flags known by heart.
"""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from bench.real.debian import Archive, NotHere

HERE = Path(__file__).parent
DATABASE = "compile_commands.json"


@dataclass(frozen=True, slots=True)
class Package:
    name: str
    source: str  # the name of the source package
    version: str  # what its version must start with
    needs: tuple[str, ...]  # programs
    prepare: Callable[[Path], None]  # leaves compile_commands.json in the folder of the source


@dataclass(frozen=True, slots=True)
class Prepared:
    """A package that is ready: its source folder and the version found."""

    name: str
    folder: Path
    version: str


def obtain(package: Package, cache: Path, archive: Archive) -> Prepared:
    """Fetch and prepare, unless an earlier run has done it. Another run that does so at this moment is waited for."""
    place = cache / package.name
    done = place / "prepared"
    with _only_one(cache):
        if not done.is_file():
            _fetch_and_prepare(package, place, archive)
    return Prepared(package.name, place / "source", done.read_text())


def _fetch_and_prepare(package: Package, place: Path, archive: Archive) -> None:
    for program in package.needs:
        if shutil.which(program) is None:
            raise NotHere(f"{program} is not on this machine: {package.name} cannot be configured without it")
    shutil.rmtree(place, ignore_errors=True)
    source = archive.fetch(package.source, package.version, place)
    package.prepare(source)
    (description,) = place.glob("*.dsc")
    (place / "prepared").write_text(description.stem.partition("_")[2])


@contextmanager
def _only_one(cache: Path) -> Iterator[None]:
    """Two runs that fetch at once would delete each other's files."""
    cache.mkdir(parents=True, exist_ok=True)
    with (cache / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def prepare_flex(source: Path) -> None:
    """m4 is only run by a finished flex: that it is missing must not matter here."""
    m4 = {"ac_cv_path_M4": "/usr/bin/m4", "ac_cv_path_ac_pt_M4": "/usr/bin/m4", "ac_cv_prog_gnu_m4": "yes"}
    _run(["./configure", "--disable-nls", "--disable-dependency-tracking"], source, m4)
    _keep_generated(source, "aclocal.m4", "configure", "config.status", "Makefile.in", "src/Makefile.in", "Makefile")
    _keep_generated(source / "src", "Makefile", "parse.c", "parse.h", "scan.c", "skel.c")
    _record(source, ["make", "-C", "src", "--keep-going", "CFLAGS=-g", "flex"], may_fail=True)


def prepare_make(source: Path) -> None:
    shutil.copy(HERE / "make_config.h", source / "src" / "config.h")
    flags = ["-DHAVE_CONFIG_H", "-I.", "-D_GNU_SOURCE", '-DLOCALEDIR="/usr/share/locale"', '-DLIBDIR="/usr/lib"']
    flags += ['-DINCLUDEDIR="/usr/include"']
    foreign = ("amiga", "vms", "guile", "remote-cstms")
    files = [file for file in sorted((source / "src").glob("*.c")) if not file.name.startswith(foreign)]
    _write_database(source, [_entry(source / "src", file.name, flags) for file in files])


def prepare_bash(source: Path) -> None:
    _keep_generated(source, "configure", "y.tab.c", "y.tab.h")
    _run(["./configure", "--disable-nls", "--without-bash-malloc"], source)
    _record(source, ["make", "-j2", "--keep-going", "CFLAGS=-g -w"], may_fail=True)


def prepare_with_cmake(*options: str) -> Callable[[Path], None]:
    def prepare(source: Path) -> None:
        build = source / "build-tightrope"
        words = ["cmake", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON", *options, "-S", str(source), "-B", str(build)]
        _run(words, source, may_fail=True)  # lwip: a target for its documents is missing, the database is not
        shutil.copy(build / DATABASE, source / DATABASE)

    return prepare


def prepare_with_flags(*flags: str, files: str = "*.c") -> Callable[[Path], None]:
    """A package that needs no configuration."""

    def prepare(source: Path) -> None:
        names = sorted(str(file.relative_to(source)) for file in source.glob(files))
        _write_database(source, [_entry(source, name, flags) for name in names])

    return prepare


def prepare_busybox(source: Path) -> None:
    """Its headers and how its files are compiled; what else its build makes is not needed."""
    _run(["make", "defconfig"], source, may_fail=True)  # asks on standard input for what the file does not say
    _record(source, ["make", "--keep-going", "libbb/"], may_fail=True)


def prepare_libcoap(source: Path) -> None:
    """Without encryption, which would be another library's."""
    without = ("documentation", "examples", "tests", "dtls")
    _run(["./configure", *(f"--disable-{name}" for name in without)], source)
    _record(source, ["make", "--keep-going", "CFLAGS=-g"], may_fail=True)


def prepare_libmodbus(source: Path) -> None:
    """configure is not part of the package: what it would find on Linux is defined here."""
    template = (source / "src" / "modbus-version.h.in").read_text()
    for name, value in {"_MAJOR": "3", "_MINOR": "1", "_MICRO": "6", "": "3.1.6"}.items():
        template = template.replace(f"@LIBMODBUS_VERSION{name}@", value)
    (source / "src" / "modbus-version.h").write_text(template)
    (source / "src" / "config.h").write_text("")
    found = ("ACCEPT4", "GETADDRINFO", "GETTIMEOFDAY", "INET_NTOA", "SELECT", "SOCKET", "STRERROR", "BYTESWAP_H")
    declared = ("-DHAVE_DECL_TIOCSRS485=1", "-DHAVE_DECL_TIOCM_RTS=1", "-DHAVE_DECL___CYGWIN__=0")
    flags = ("-D_GNU_SOURCE", "-Isrc", *declared, *(f"-DHAVE_{name}=1" for name in found))
    prepare_with_flags(*flags, files="src/*.c")(source)


def prepare_sqlite(source: Path) -> None:
    """Debian compiles one joined file; the parts are what people read and test."""
    _run(["./configure", "--disable-readline"], source)
    names = "util func tokenize utf hash printf global malloc vdbemem vdbeapi mutex random status fault".split()
    _record(source, ["make", "CFLAGS=-g", *(f"{name}.lo" for name in names)])


PACKAGES = {
    package.name: package
    for package in (
        Package("flex", "flex", "2.6.4", ("make", "cc"), prepare_flex),
        Package("make", "make-dfsg", "4.3", ("cc",), prepare_make),
        Package("bash", "bash", "5.2", ("make", "cc"), prepare_bash),
        Package(
            "mbedtls", "mbedtls", "2.28", ("cmake", "cc"),
            prepare_with_cmake("-DENABLE_TESTING=OFF", "-DENABLE_PROGRAMS=OFF"),
        ),
        # its files are compiled as for a board with all of its protocols
        Package("lwip", "lwip", "2.1", ("cmake", "cc"), prepare_with_cmake("-DCMAKE_C_FLAGS=-DLWIP_DNS=1")),
        Package("sqlite", "sqlite3", "3.", ("make", "cc", "tclsh"), prepare_sqlite),
        # small machines and protocols
        Package("busybox", "busybox", "1.35", ("make", "cc"), prepare_busybox),
        Package(
            "can-utils", "can-utils", "2020.11", ("cc",),
            prepare_with_flags("-Iinclude", "-D_GNU_SOURCE", "-DSO_RXQ_OVFL=40", "-DPF_CAN=29", "-DAF_CAN=PF_CAN"),
        ),
        Package("cjson", "cjson", "1.7", ("cc",), prepare_with_flags("-I.", files="cJSON*.c")),
        Package("libcoap", "libcoap3", "4.3", ("make", "cc"), prepare_libcoap),
        Package("libmodbus", "libmodbus", "3.1.6", ("cc",), prepare_libmodbus),
        Package(
            "mosquitto", "mosquitto", "2.0", ("cmake", "cc"),
            prepare_with_cmake("-DWITH_TLS=OFF", "-DDOCUMENTATION=OFF", "-DWITH_CJSON=OFF"),
        ),
        Package("nanopb", "nanopb", "0.4", ("cc",), prepare_with_flags("-I.")),
    )
}  # fmt: skip


# -- how a build is run and watched


def _record(folder: Path, command: list[str], *, may_fail: bool = False) -> None:
    """Run a build and keep how it compiled each file."""
    notes = folder / "commands.jsonl"
    notes.unlink(missing_ok=True)
    recorder = f"{sys.executable} {HERE / 'recorder.py'} {notes} cc"
    _run([*command, f"CC={recorder}"], folder, may_fail=may_fail)
    _write_database(folder, [json.loads(line) for line in notes.read_text().splitlines()])


def _run(
    command: list[str], folder: Path, environment: dict[str, str] | None = None, *, may_fail: bool = False
) -> None:
    surroundings = {**os.environ, **(environment or {})}
    done = subprocess.run(command, cwd=folder, env=surroundings, capture_output=True, text=True, check=False)
    if done.returncode and not may_fail:
        last = "\n".join((done.stdout + done.stderr).splitlines()[-15:])
        raise NotHere(f"`{' '.join(command)}` failed in {folder}:\n{last}")


def _keep_generated(folder: Path, *names: str) -> None:
    """Files that were generated before the release count as newer than what they are made from."""
    for name in names:
        if (folder / name).exists():
            (folder / name).touch()


def _entry(directory: Path, file: str, flags: Iterable[str]) -> dict[str, object]:
    return {"directory": str(directory), "file": file, "arguments": ["cc", *flags, "-c", file]}


def _write_database(folder: Path, entries: list[dict[str, object]]) -> None:
    (folder / DATABASE).write_text(json.dumps(entries, indent=1))
