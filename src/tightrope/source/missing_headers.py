"""Headers that a file includes and the compiler does not find, and where they may be."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from tightrope.source.compile import list_dependencies
from tightrope.source.project import Recipe
from tightrope.source.toolchain import Compiler

_MOST_FOLDERS = 20_000  # that are looked at
_PASSED_OVER = frozenset({".git", ".svn", ".hg", "node_modules", "__pycache__"})

# Headers that many projects use, and the Debian package that brings them.
_PACKAGES = {
    "openssl/": "libssl-dev", "zlib.h": "zlib1g-dev", "bzlib.h": "libbz2-dev", "lzma.h": "liblzma-dev",
    "zstd.h": "libzstd-dev", "lz4.h": "liblz4-dev", "curl/": "libcurl4-openssl-dev", "ncurses.h": "libncurses-dev",
    "curses.h": "libncurses-dev", "readline/": "libreadline-dev", "sqlite3.h": "libsqlite3-dev",
    "expat.h": "libexpat1-dev", "libxml/": "libxml2-dev", "json-c/": "libjson-c-dev",
    "jansson.h": "libjansson-dev", "cjson/": "libcjson-dev",
    "glib.h": "libglib2.0-dev", "glib/": "libglib2.0-dev", "gtk/": "libgtk-3-dev", "X11/": "libx11-dev",
    "png.h": "libpng-dev", "jpeglib.h": "libjpeg-dev", "SDL2/": "libsdl2-dev", "pcre.h": "libpcre3-dev",
    "pcre2.h": "libpcre2-dev", "gmp.h": "libgmp-dev", "event2/": "libevent-dev", "uv.h": "libuv1-dev",
    "libusb-1.0/": "libusb-1.0-0-dev", "mbedtls/": "libmbedtls-dev", "systemd/": "libsystemd-dev",
    "sys/capability.h": "libcap-dev", "attr/": "libattr1-dev", "ffi.h": "libffi-dev", "Python.h": "python3-dev",
    "CUnit/": "libcunit1-dev", "check.h": "check", "cmocka.h": "libcmocka-dev", "linux/": "linux-libc-dev",
    "stdio.h": "libc6-dev", "stdlib.h": "libc6-dev", "string.h": "libc6-dev",
}  # fmt: skip


def missing_headers(compiler: Compiler, file: Path, recipe: Recipe) -> tuple[str, ...]:
    """The missing headers, as the file or a header that was found spells them."""
    found = list_dependencies(compiler, file, recipe.flags.kept, working_directory=recipe.folder)
    return tuple(name for name in found if not (recipe.folder / name).exists())


def where_it_may_be(header: str, file: Path) -> str:
    """What to do about a missing header, as the end of a sentence."""
    top = _top_of_project(file.absolute().parent)
    folders = [folder for folder, names in _folders(top) if _holds(folder, names, header)]
    if folders:
        return f"add `-- -I {_short(folders[0])}`"
    if any(f"{Path(header).name}.in" in names or f"{header}.cmake" in names for _, names in _folders(top)):
        return "the project's build generates it: configure the project first"
    package = next((_PACKAGES[key] for key in _PACKAGES if header == key or header.startswith(key)), "")
    if package:
        return f"Debian and Ubuntu have it in the package {package}"
    return "say where it is with `-- -I FOLDER`, or name the folder of compile_commands.json with -p"


def _top_of_project(folder: Path) -> Path:
    """The folder with .git, else the file's own folder: folders above it may not belong to the project."""
    for each in (folder, *folder.parents):
        if (each / ".git").exists():
            return each
    return folder


def _folders(top: Path) -> Iterator[tuple[Path, set[str]]]:
    for number, (folder, below, names) in enumerate(os.walk(top)):
        below[:] = sorted(name for name in below if name not in _PASSED_OVER)
        yield Path(folder), set(names)
        if number > _MOST_FOLDERS:
            return


def _holds(folder: Path, names: set[str], header: str) -> bool:
    return header in names if "/" not in header else (folder / header).is_file()


def _short(folder: Path) -> str:
    near = os.path.relpath(folder)
    return str(folder) if near.startswith("../../..") else near
