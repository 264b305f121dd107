"""What `zig cc` calls: clang itself and the linker, with hundreds of words that zig chose for this machine.

`zig cc` takes two to three times as long as what it calls: it starts the system's compiler to find the C library,
hashes every file for its cache, and starts itself again. So it is asked once which words it uses (`-###`); then clang
is called with them. They depend on the flags, the machine and the compiler, not on the file, but for these holes:

    -main-file-name NAME   -fdebug-compilation-dir=HERE   -ffile-prefix-map=FOLDER/=   -o OUTPUT   -x c FILE

A call that does not look like this is not recorded. A recorded call that fails is made again by `zig cc`, whose
messages are those that users know.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from tightrope.source.cache import Stamp, are_current, cache_key, open_cache, stamp_of
from tightrope.source.process import Finished
from tightrope.source.read_files import searched_folders
from tightrope.source.toolchain import Compiler, says_what_it_calls

FILE, NAME, OUTPUT, HERE, FOLDER = "\0file", "\0name", "\0output", "\0here", "\0folder"
_WORD = re.compile(r'"((?:\\.|[^"\\])*)"')
_HERE = ("-fdebug-compilation-dir=", "-fcoverage-compilation-dir=")
# variables that change the words that zig and clang's driver choose, or what gcc does
_ASKED_FOR = re.compile(
    r"(?:ZIG|NIX|CCC|CLANG)_(?!LOCAL_CACHE|GLOBAL_CACHE).*|(?:C|CPLUS|OBJC)_INCLUDE_PATH|CPATH|COMPILER_PATH|SDKROOT"
    r"|LIBRARY_PATH|GCC_EXEC_PREFIX|SOURCE_DATE_EPOCH|LANG|LC_.*|CC"
)
_UNSTEADY = ("@", "--config", "-M", "-Wp,", "-###", "-v", "--verbose", "-save-temps", "-fplugin")
_LIBRARY = ("stdlib.h", "features.h")  # in the folders of headers: they tell which C library it is


@dataclass(frozen=True, slots=True)
class CompilerCall:
    """A call of the driver: `words` without its files and its output."""

    words: tuple[str, ...]
    files: tuple[str, ...]  # one C file, or objects to link
    output: str  # "-" for standard output
    folder: str  # for temporary files
    here: str  # the current folder
    is_link: bool = False

    @property
    def command(self) -> tuple[str, ...]:
        target = () if self.output == "-" else ("-o", self.output)
        return (*self.words, *(() if self.is_link else ("-x", "c")), *self.files, *target)


@dataclass(frozen=True, slots=True)
class RecordedCall:
    """The words for clang or the linker, with holes; `stamps` of what zig looked at."""

    words: tuple[str, ...]
    stamps: tuple[Stamp, ...] = ()

    def fill(self, call: CompilerCall, further: Sequence[str] = ()) -> tuple[str, ...]:
        """The words for this call, with further ones."""
        at = self.words.index(FILE)
        values = {NAME: os.path.basename(call.files[0]), OUTPUT: call.output}
        before, after = ([_filled(values.get(word, word), call) for word in part] for part in _around(self.words, at))
        return (*before[:-2], *further, *before[-2:], *call.files, *after)


def _around(words: Sequence[str], at: int) -> tuple[Sequence[str], Sequence[str]]:
    return words[:at], words[at + 1 :]


def _filled(word: str, call: CompilerCall) -> str:
    return word.replace(HERE, call.here).replace(FOLDER, call.folder) if "\0" in word else word


Ask = Callable[[Sequence[str]], Finished]
_known: dict[str, RecordedCall | None] = {}


def find_call(compiler: Compiler, call: CompilerCall, environment: Mapping[str, str], ask: Ask) -> RecordedCall | None:
    """The recorded call for this one; None if it cannot be recorded. `ask` runs a command."""
    found = recall_call(compiler, call, environment)
    if found is not None or not _is_steady(compiler, call):
        return found
    anywhere, only_here = _keys(compiler, call, environment)
    if only_here in _known:  # it cannot be recorded
        return None
    recorded, is_movable = _record(compiler, call, ask((*call.command, "-###")), environment)
    key = anywhere if is_movable else only_here
    _known[key] = recorded
    if recorded is not None:
        open_cache("calls").put(key, json.dumps([recorded.words, recorded.stamps]).encode())
    return recorded


def recall_call(compiler: Compiler, call: CompilerCall, environment: Mapping[str, str]) -> RecordedCall | None:
    """The recorded call for this one, if there is one already. Nothing is run; nobody looks into its folder."""
    if not _is_steady(compiler, call):
        return None
    return next((found for key in _keys(compiler, call, environment) if (found := _recall(key)) is not None), None)


def _is_steady(compiler: Compiler, call: CompilerCall) -> bool:
    return says_what_it_calls(compiler) and not any(word.startswith(_UNSTEADY) for word in call.words)


def _keys(compiler: Compiler, call: CompilerCall, environment: Mapping[str, str]) -> tuple[str, str]:
    """Of a call that is the same in all folders, and of one that is not."""
    words = [word.replace(call.folder, FOLDER) for word in call.words]
    kind = f"link {len(call.files)}" if call.is_link else "print" if call.output == "-" else "write"
    parts = ("call", *identify(compiler), *describe_machine(), *steering_variables(environment), kind, *words)
    return cache_key(*parts), cache_key(*parts, HERE, call.here)


def identify(compiler: Compiler) -> tuple[str, ...]:
    """The compiler, and which build of it this is."""
    return (str(compiler), *compiler.command, *map(str, stamp_of(compiler.command[0])))


def steering_variables(environment: Mapping[str, str]) -> list[str]:
    """Those that compilers heed."""
    return [f"{name}={environment[name]}" for name in sorted(environment) if _is_asked_for(name)]


@lru_cache(maxsize=1024)
def _is_asked_for(name: str) -> bool:
    return bool(_ASKED_FOR.fullmatch(name))


@cache
def describe_machine() -> tuple[str, ...]:
    """What zig looks at to find its target."""
    libc = os.confstr("CS_GNU_LIBC_VERSION") if "CS_GNU_LIBC_VERSION" in getattr(os, "confstr_names", ()) else ""
    return (*os.uname(), libc or "")


def _recall(key: str) -> RecordedCall | None:
    found = _known.get(key)
    if found is None:
        stored = open_cache("calls").get(key)
        if stored is None:
            return None
        words, stamps = json.loads(stored)
        found = RecordedCall(tuple(words), tuple((file, size, changed) for file, size, changed in stamps))
    if not are_current(found.stamps):
        _known.pop(key, None)
        return None
    _known[key] = found
    return found


def _record(
    compiler: Compiler, call: CompilerCall, said: Finished, environment: Mapping[str, str]
) -> tuple[RecordedCall | None, bool]:
    """The call in what the driver said, and whether it is the same in another current folder."""
    words = None if said.status else _linker_words(call, said) if call.is_link else _clang_words(call, said)
    if words is None:
        return None, False
    words = [_with_hole(word.replace(call.folder, FOLDER), call.here) for word in words]
    if any(word.startswith(_HERE) and not word.endswith(HERE) for word in words):
        return None, False
    system = shutil.which("cc", path=environment.get("PATH"))
    files = [os.path.realpath(system)] if system else []
    files += [f"{folder}/{name}" for folder in searched_folders(words) for name in _LIBRARY]
    files += _linked_files(words) if call.is_link else []
    stamps = tuple(stamp_of(each) for each in dict.fromkeys(files) if FOLDER not in each)
    return RecordedCall(tuple(words), stamps), not any(call.here in word for word in words)


def _clang_words(call: CompilerCall, said: Finished) -> list[str] | None:
    lines = [line for line in said.messages.splitlines() if re.match(r'^ *"[^"]*" "-cc1" ', line)]
    if len(lines) != 1:
        return None
    words = [re.sub(r"\\(.)", r"\1", word) for word in _WORD.findall(lines[0])][1:]
    names, outputs = _places(words, "-main-file-name"), _places(words, "-o")
    is_usual = words[-3:] == ["-x", "c", *call.files] and len(names) == len(outputs) == 1
    if not is_usual or words[names[0]] != os.path.basename(call.files[0]):
        return None
    words[-1], words[names[0]], words[outputs[0]] = FILE, NAME, OUTPUT
    return words


def _linker_words(call: CompilerCall, said: Finished) -> list[str] | None:
    """They are shown without quotes, so no name may have a blank in it."""
    lines = [line for line in said.messages.splitlines() if line.startswith("ld.lld ")]
    if len(lines) != 1 or any(re.search(r"\s", word) for word in (*call.words, *call.files, call.output)):
        return None
    words = lines[0].split(" ")[1:]
    outputs, first = _places(words, "-o"), words.index(call.files[0]) if call.files[0] in words else -1
    end = first + len(call.files)
    if len(outputs) != 1 or words[outputs[0]] != call.output or words[first:end] != list(call.files):
        return None
    words[outputs[0]] = OUTPUT
    return [*words[:first], FILE, *words[end:]]


def _places(words: Sequence[str], option: str) -> list[int]:
    """Where the values of an option are."""
    return [at + 1 for at, word in enumerate(words[:-1]) if word == option]


def _linked_files(words: Sequence[str]) -> Iterator[str]:
    """Objects and libraries of the system among the words for the linker."""
    folders = [words[at] for at in _places(words, "-L")]
    libraries = [word[2:] for word in words if word.startswith("-l")]
    yield from (word for word in words if os.path.isabs(word))
    yield from (f"{folder}/lib{name}{end}" for folder in folders for name in libraries for end in (".so", ".a"))


def _with_hole(word: str, here: str) -> str:
    return next((f"{start}{HERE}" for start in _HERE if word == f"{start}{here}"), word)


def link_key(recorded: RecordedCall, objects: Iterable[bytes]) -> str:
    """Everything that a linked program depends on."""
    stamps = ("\0".join(map(str, each)) for each in recorded.stamps)
    return cache_key("program", *recorded.words, *stamps, *objects)
