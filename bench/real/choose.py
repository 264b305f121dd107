"""Chooses the functions of embedded.toml by a rule, without running Tightrope on them.

    python -m bench.real.choose [--folder DIR] > bench/real/embedded.toml

The rule: of each package, the files of its library in alphabetical order; of each file, in its order, every function
with three or more decisions (`if`, loops, `switch`, `?:`), until a package has given fourteen. Files of the first list
are left out.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

from bench.real.debian import NotHere
from bench.real.listed import read_list
from bench.real.packages import DATABASE, Prepared
from bench.real.run import FOLDER, prepare
from tightrope.source.toolchain import find_compiler

FOLDERS = {
    "busybox": "libbb",
    "can-utils": "",
    "cjson": "",
    "libcoap": "src",
    "libmodbus": "src",
    "lwip": "src",
    "mosquitto": "lib",
    "nanopb": "",
}
LEAST, MOST = 3, 14  # decisions of a function, functions of a package
DECISIONS = frozenset({"IfStmt", "WhileStmt", "DoStmt", "ForStmt", "SwitchStmt", "ConditionalOperator"})
Node = dict[str, Any]


def main() -> int:
    parser = argparse.ArgumentParser(description="Choose the functions of embedded.toml by its rule.")
    parser.add_argument("--folder", type=Path, default=FOLDER, metavar="DIR", help=f"of bench.real (default: {FOLDER})")
    folder = parser.parse_args().folder.absolute()
    try:
        prepared = prepare(FOLDERS, folder)
    except NotHere as problem:
        print(f"bench/real: stopped: {problem}", file=sys.stderr)
        return 1
    print("# Made by bench/real/choose.py, whose rule knows no result. A function stays when its result is bad.")
    for name, package in prepared.items():
        print(f"\n[{name}]")
        for file, functions in choose(package):
            print(f'"{file}" = [')
            for function, decisions in functions:
                print(f'  {{ function = "{function}", why = "{decisions} decisions" }},')
            print("]")
    return 0


def choose(package: Prepared) -> Iterator[tuple[str, list[tuple[str, int]]]]:
    """Files, each with functions and their numbers of decisions."""
    listed = {each.file for each in read_list() if each.package == package.name}
    entries = _entries(package)
    left = MOST
    for file in sorted(entries):
        found = [] if file in listed else [one for one in _functions(entries[file]) if one[1] >= LEAST][:left]
        if found:
            yield file, found
        left -= len(found)
        if not left:
            return


def _entries(package: Prepared) -> dict[str, Node]:
    """Entries of the compilation database, by the file's path in the package: those of the library's folder."""
    place = package.folder / FOLDERS[package.name]
    found = {}
    for entry in json.loads((package.folder / DATABASE).read_text()):
        file = (Path(entry["directory"]) / entry["file"]).resolve()
        if file.is_relative_to(place.resolve()):
            found.setdefault(str(file.relative_to(package.folder.resolve())), entry)
    return found


def _functions(entry: Node) -> Iterator[tuple[str, int]]:
    words = entry.get("arguments") or entry["command"].split()
    flags = [word for word in words[1:] if word.startswith(("-I", "-D", "-U", "-std", "-include"))]
    flags += [each for word, after in pairwise(words) if word in _PAIRS for each in (word, after)]
    dump = ["-fsyntax-only", "-w", "-Xclang", "-ast-dump=json", entry["file"]]
    command = [*find_compiler().command, *flags, *dump]
    done = subprocess.run(command, cwd=entry["directory"], capture_output=True, check=False)
    if not done.stdout:
        raise NotHere(f"{entry['file']} has no syntax tree:\n{done.stderr.decode(errors='replace')[:500]}")
    for node in _in_main_file(json.loads(done.stdout)["inner"]):
        body = [each for each in node.get("inner", ()) if each.get("kind") == "CompoundStmt"]
        if node["kind"] == "FunctionDecl" and body:
            yield node["name"], sum(each.get("kind") in DECISIONS for each in _below(body[0]))


_PAIRS = ("-include", "-isystem", "-I", "-D")


def _in_main_file(nodes: list[Node]) -> Iterator[Node]:
    """Declarations that no `#include` brought."""
    for node in nodes:
        place = node.get("loc", {})
        place = place.get("expansionLoc", place)
        if place and "includedFrom" not in place:
            yield node


def _below(node: Node) -> Iterator[Node]:
    yield node
    for each in node.get("inner", ()):
        yield from _below(each)


if __name__ == "__main__":
    sys.exit(main())
