"""The user's compiler flags, sorted: kept for compiling, kept for linking, or dropped with a reason.

The flags come from the user's own build (gcc, -O2, warnings as errors, a cross target), while Tightrope
compiles with -O0 for this machine. Flags that define the meaning of the C are kept: -D -U -I -include -std -f...
Flags that would distort the measurement are dropped, and the user is told. A flag that is not in the table is passed
to the compiler, which reports it if it does not know it.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path

from tightrope.errors import UsageError
from tightrope.source.mirror import ROOT, is_system_folder, outside_path

IsSource = Callable[[str], bool]


class DropReason(Enum):
    """Why a flag is not used: the sentence shown, and whether it is shown by default."""

    OUTPUT = ("controls which files are written or what is printed; Tightrope decides that", False)
    WARNING = ("only changes warnings", False)
    OPTIMISATION = ("the C is compiled with -O0 -g, which keeps every branch", False)
    TARGET = ("tests run on this machine: sizes, alignment and byte order are those of its default target", True)
    GCC_ONLY = ("clang has no such flag", True)
    CHECKS = ("adds checks or counters of its own to the code", True)
    FLOATS = ("allows floating-point results that differ from IEEE 754", True)
    OVERFLOW = ("signed overflow wraps around here, as with -fwrapv", True)
    THREADS = ("runs are single-threaded: OpenMP pragmas are ignored", True)
    FILE = ("is a file, not a flag", False)
    UNKNOWN = ("the compiler does not know it", True)

    def __init__(self, sentence: str, is_worth_saying: bool) -> None:
        self.sentence = sentence
        self.is_worth_saying = is_worth_saying


@dataclass(frozen=True, slots=True)
class Dropped:
    flag: str
    reason: DropReason

    def __str__(self) -> str:
        return f"{self.flag} ({self.reason.sentence})"


@dataclass(frozen=True, slots=True)
class Flags:
    """Flags in the order given. `kept` goes to every compile, `link` also to the linking of tests."""

    kept: tuple[str, ...] = ()
    link: tuple[str, ...] = ()
    dropped: tuple[Dropped, ...] = ()
    width: str = ""  # the last of -m32, -m64 ...: the only flag of a target that decides whether code can run here

    @property
    def worth_saying(self) -> tuple[Dropped, ...]:
        """Dropped flags that are reported by default, because they may change the result."""
        return tuple(each for each in self.dropped if each.reason.is_worth_saying)


# A flag is looked up whole, then by the longest prefix that ends in `*`.
_DROPPED: dict[DropReason, str] = {
    DropReason.OUTPUT: (
        "-c -S -E -M* -save-temps* -v -### -H -ftime-report* -ftime-trace* -fsyntax-only -pipe --version --help "
        "-fdiagnostics-* -fcolor-diagnostics -fno-color-diagnostics -fmessage-length=* -fmax-errors=* -ferror-limit=* "
        "-dM -dD -dI -dumpbase* -dumpdir* -print-* -emit-llvm -fdump-* -frecord-gcc-switches -grecord-gcc-switches "
        "-fstack-usage -Wa,* -C -CC -P -fcallgraph-info* -fpch-* -fno-pch-* -Qunused-arguments -static -shared "
        "-rdynamic -s -pie -no-pie -nostdlib -nodefaultlibs -nostartfiles"
    ),
    DropReason.WARNING: "-W* -w -pedantic -pedantic-errors --pedantic -Xanalyzer",
    DropReason.OPTIMISATION: (
        "-O* -g* -flto* -fno-lto* -fwhole-program -fuse-linker-plugin -ffat-lto-objects -fno-fat-lto-objects "
        "-funroll-* -fno-unroll-* -finline-* -fomit-frame-pointer -fno-omit-frame-pointer -D_FORTIFY_SOURCE* "
        "-U_FORTIFY_SOURCE -fstrict-aliasing -fno-strict-aliasing -ftree-* -fno-tree-* -ftoplevel-reorder "
        "-fno-toplevel-reorder -foptimize-* -fno-optimize-*"
    ),
    DropReason.TARGET: (
        "-march=* -mcpu=* -mtune=* -m32 -mx32 -m16 -mthumb -marm -mfpu=* -mfloat-abi=* -mabi=* -mcmodel=* -target* "
        "--target=* -mlittle-endian -mbig-endian -EL -EB -mthumb-interwork -mregparm=* -mpreferred-stack-boundary=* "
        "-mno-red-zone -msoft-float -mhard-float -mlongcalls -mmcu=*"
    ),
    DropReason.GCC_ONLY: (
        "-fanalyzer* -fno-analyzer* -fipa-* -fno-ipa-* -fconserve-stack -fvar-tracking* -fno-var-tracking* "
        "-maccumulate-outgoing-args -mno-accumulate-outgoing-args -fguess-branch-probability "
        "-fno-guess-branch-probability -freorder-* -fno-reorder-* -fplan9-extensions -fplugin* -specs=* --specs=* "
        "--param* -fno-allow-store-data-races -fallow-store-data-races* -fschedule-* -fno-schedule-* -fgcse* "
        "-fsingle-precision-constant -fno-aggressive-loop-optimizations -fno-partial-inlining -fmodulo-sched* "
        "-fno-code-hoisting -fno-dce -fweb -frename-registers -fno-jump-tables-* -mno-fp-ret-in-387 "
        "-mfpmath=* -mindirect-branch* -mfunction-return=* -mskip-rax-setup -mrecord-mcount -mno-direct-extern-access "
        "-fno-stack-limit -fstack-limit* -fharden-* -fhardened -fcheck-new -fno-printf-return-value -fno-caller-saves "
        "-fno-ivopts -fno-gcse*"
    ),
    DropReason.CHECKS: (
        "-fsanitize* -fno-sanitize* -fprofile-* -ftest-coverage -fcoverage-* -fcondition-coverage -fpath-coverage "
        "--coverage -coverage -pg -p -finstrument-functions* -fstack-protector* -fno-stack-protector "
        "-fstack-clash-protection -fcf-protection* -fsplit-stack -fxray-* -fstack-check* -mfentry -mshstk"
    ),
    DropReason.FLOATS: (
        "-ffast-math -funsafe-math-optimizations -fassociative-math -freciprocal-math -ffinite-math-only "
        "-fno-signed-zeros -fno-trapping-math -ffp-contract=* -ffp-model=* -fapprox-func -fcx-* -frounding-math "
        "-fdenormal-fp-math=*"
    ),
    DropReason.OVERFLOW: "-ftrapv -fstrict-overflow -fno-strict-overflow -fno-wrapv -fwrapv",
    DropReason.THREADS: "-fopenmp* -fopenacc*",
}

_WIDTHS = ("-m16", "-m32", "-mx32", "-m64")
_LINKED = ("-l", "-L", "-Wl,", "-rpath")
_BOTH = ("-pthread", "-pthreads")

# Flags whose value may stand in the next word: `-I inc`, `-include config.h`.
_WITH_VALUE = frozenset(
    "-D -U -I -F -L -l -o -x -T -u -z -A -include -imacros -isystem -iquote -idirafter -isysroot -iprefix -iwithprefix "
    "-iwithprefixbefore -imultilib -include-pch --sysroot -MF -MT -MQ -MJ -Xclang -Xlinker -Xpreprocessor -Xassembler "
    "-Xanalyzer -mllvm -target -arch --param -dumpbase -dumpdir -dumpbase-ext -aux-info -rpath -framework -G -B "
    "-fplugin-arg -index-store-path --serialize-diagnostics -wrapper".split()
)
_DROPPED_WITH_VALUE = dict.fromkeys(
    "-o -x -T -aux-info -Xassembler -wrapper --serialize-diagnostics -index-store-path".split(), DropReason.OUTPUT
) | dict.fromkeys("-B -arch -target".split(), DropReason.TARGET)
# Flags whose value is a path, longest first: `-I` must match `-Ixyz`, but not `-include`.
_WITH_PATH = ("-include", "-imacros", "-isystem", "-iquote", "-idirafter", "-I", "-L", "--sysroot=")
_LINKED_WITH_VALUE = frozenset("-l -L -u -z -Xlinker -rpath -framework".split())
_DEEPEST = 10  # files of flags inside each other
_OBJECTS = (".o", ".a", ".so", ".obj", ".lib", ".dylib")


def sort_flags(words: Iterable[str], is_source: IsSource | None = None, folder: Path | None = None) -> Flags:
    """Sort the flags of one compile. Words that are not flags are files: `is_source` tells whether such a
    word may be ignored (the C file of a database entry); any other word is an error of the user."""
    kept: list[str] = []
    link: list[str] = []
    dropped: list[Dropped] = []
    width = ""
    for flag in _group(_expand(list(words), folder)):
        reason = _reason(flag)
        width = flag[0] if flag[0] in _WIDTHS else width
        if not flag[0].startswith("-") or flag[0] == "-":
            _sort_file(flag[0], is_source, link, dropped)
        elif flag[0].startswith("-Wp,"):
            inner = sort_flags(_preprocessor_words(flag[0]), is_source)
            kept += inner.kept
            dropped += inner.dropped
        elif reason is not None:
            dropped.append(Dropped(" ".join(flag), reason))
        elif flag[0] in _LINKED_WITH_VALUE or flag[0].startswith(_LINKED):
            link += flag
        else:
            kept += flag
            link += flag if flag[0] in _BOTH else ()
    return Flags(tuple(kept), tuple(link), tuple(dropped), width)


def join_flags(first: Flags, later: Flags) -> Flags:
    """Both, in this order; if they contradict each other, the later ones take precedence."""
    return Flags(
        first.kept + later.kept, first.link + later.link, first.dropped + later.dropped, later.width or first.width
    )


_SYSTEM = ("/usr/", "/opt/", "/lib/", "/Library/", "/Applications/")


def rebase_flags(flags: Sequence[str], old: Path, new: Path) -> tuple[str, ...]:
    """The flags as they must be written for a compiler that runs in the folder `new` instead of `old`: with relative
    paths, except into folders of the system, which are the same on other machines."""
    return _moved(flags, old, lambda path: Path(os.path.relpath(old / path, new)).as_posix())


def anchor_flags(flags: Sequence[str], folder: Path) -> tuple[str, ...]:
    """The flags for a compiler that may run anywhere: paths that exist relative to `folder` become absolute."""
    return _moved(flags, folder, lambda path: (folder / path).as_posix())


def flags_below(flags: Sequence[str], folder: Path, word: str) -> list[tuple[str, ...]]:
    """The flags, each with its value; before paths that exist relative to `folder` stands a word for that folder."""
    return _group(_moved(flags, folder, lambda path: path if os.path.isabs(path) else f"{word}/{path}"))


def root_flags(flags: Sequence[str], folder: Path) -> tuple[str, ...]:
    """The flags of a compiler that runs in `folder`, for a mirror: absolute paths begin with `ROOT`, except those of
    the system's headers and libraries. Files with flags (`@file`) are replaced by their words."""

    def stays(path: str) -> bool:
        return not os.path.isabs(path) or is_system_folder(path)

    return _moved(_expand(list(flags), folder), folder, lambda path: f"{ROOT}{path}", stays)


def _is_of_machine(path: str) -> bool:
    """Whether the path leads to where the machine's own programs are."""
    return f"{outside_path(path)}/".startswith(_SYSTEM)


def _moved(
    flags: Sequence[str], old: Path, move: Callable[[str], str], stays: Callable[[str], bool] = _is_of_machine
) -> tuple[str, ...]:
    rebased: list[str] = []
    for flag in _group(flags):
        name = next((each for each in _WITH_PATH if flag[0] == each or flag[0].startswith(each)), "")
        is_file = not flag[0].startswith("-")
        path = flag[0] if is_file else "" if not name else flag[1] if len(flag) > 1 else flag[0][len(name) :]
        # `-include config.h` is also searched for along -I: only an existing path is rewritten
        if not path or stays(path) or not (old / path).exists():
            rebased += flag
            continue
        moved = move(path)
        rebased += [flag[0], moved] if len(flag) > 1 else [name + moved]
    return tuple(rebased)


_PREPROCESSING = ("-D", "-U", "-include", "-imacros")


def without_preprocessing(flags: Sequence[str]) -> tuple[str, ...]:
    """The flags for a text that was preprocessed with them: nothing is defined or included a second time.
    (A precompiled header stays: its text is not in the preprocessed one.)"""
    return tuple(word for flag in _group(flags) if not _preprocesses(flag[0]) for word in flag)


def _preprocesses(word: str) -> bool:
    return word.startswith(_PREPROCESSING) and not word.startswith("-include-pch")


def without(flags: Flags, flag: str) -> Flags | None:
    """The flags without one that the compiler refused; None when it is not among them."""
    kept = tuple(each for each in flags.kept if each != flag)
    if kept == flags.kept:
        return None
    return replace(flags, kept=kept, dropped=(*flags.dropped, Dropped(flag, DropReason.UNKNOWN)))


def _sort_file(word: str, is_source: IsSource | None, link: list[str], dropped: list[Dropped]) -> None:
    if is_source is not None and is_source(word):
        dropped.append(Dropped(word, DropReason.FILE))
    elif word.endswith(_OBJECTS):
        link.append(word)
    else:
        raise UsageError(
            f"`{word}` is not a compiler flag",
            hint="flags start with a hyphen; name further C files before `--`",
            slug="flag-is-a-file",
        )


def _group(words: Sequence[str]) -> list[tuple[str, ...]]:
    """Join each flag with the value that stands in the next word."""
    groups: list[tuple[str, ...]] = []
    rest = iter(words)
    for word in rest:
        value = next(rest, None) if word in _WITH_VALUE else None
        if word in _WITH_VALUE and value is None:
            raise UsageError(
                f"the compiler flag {word} needs a value", hint="no word follows it", slug="flag-without-value"
            )
        groups.append((word,) if value is None else (word, value))
    return groups


def _expand(words: list[str], folder: Path | None, depth: int = 0) -> list[str]:
    """Replace `@file` by the words in that file, as the compilers do; one that includes itself is cut off."""
    expanded: list[str] = []
    for word in words:
        if not word.startswith("@") or depth > _DEEPEST:
            expanded += [] if word.startswith("@") else [word]
            continue
        try:
            text = ((folder or Path()) / word[1:]).read_text(encoding="utf-8", errors="replace")
        except OSError as problem:
            raise UsageError(
                f"the file with compiler flags {word} cannot be read: {problem.strerror}",
                hint="the project's build writes this file; build the project first",
                slug="unreadable",
            ) from None
        expanded += _expand(shlex.split(text), folder, depth + 1)
    return expanded


def _reason(flag: tuple[str, ...]) -> DropReason | None:
    word = flag[0]
    if word in _DROPPED_WITH_VALUE:
        return _DROPPED_WITH_VALUE[word]
    if word.startswith(("-Wl,", "-Wp,")):
        return None
    if word == "-D" and flag[1].startswith("_FORTIFY_SOURCE"):
        return DropReason.OPTIMISATION
    if word[:2] in ("-x", "-o") and not word.startswith("-xray"):
        return DropReason.OUTPUT
    return _look_up(word)


def _preprocessor_words(flag: str) -> list[str]:
    """`-Wp,-DX=1,-MD,x.d` passes words to the preprocessor; zig cc does not accept this form."""
    words = flag.split(",")[1:]
    return [word for at, word in enumerate(words) if word.startswith("-") or (at and words[at - 1] in _WITH_VALUE)]


_DROPPED_TABLE = {pattern: reason for reason, words in _DROPPED.items() for pattern in words.split()}


def _look_up(flag: str) -> DropReason | None:
    if flag in _DROPPED_TABLE:
        return _DROPPED_TABLE[flag]
    prefixes = (flag[:length] + "*" for length in range(len(flag), 0, -1))
    return next((_DROPPED_TABLE[prefix] for prefix in prefixes if prefix in _DROPPED_TABLE), None)
