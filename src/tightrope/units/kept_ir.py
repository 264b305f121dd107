"""Texts and parts of large modules, kept by content: a unit of a file with a hundred functions would have LLVM read and
print all of them twice, each time that it is tested."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import cache
from hashlib import sha256
from pathlib import Path

from tightrope.program.ir import needed_part as rules
from tightrope.program.ir import read_ir as reader
from tightrope.program.ir.needed_part import needed_part
from tightrope.program.ir.read_ir import assemble, llvm_version, raw_text
from tightrope.source.cache import cache_key, open_cache

LEAST = 1 << 15  # bytes of bitcode that are worth a file in the cache
MOST = 8 << 20


def kept_raw_text(bitcode: bytes) -> str:
    """`raw_text` of this."""
    return _kept("raw text", bitcode, (), lambda: _bytes(raw_text(bitcode))).decode("utf-8", "surrogateescape")


def kept_part(bitcode: bytes, wanted: Collection[str], constants: Collection[str], *, with_users: bool) -> bytes:
    """The module without the functions that the wanted ones and those of Tightrope have nothing to do with."""

    def make() -> bytes:
        text = raw_text(bitcode)
        part = needed_part(text, wanted, "tightrope_", constants, with_users=with_users)
        return bitcode if part is text else assemble(part)

    words = (str(with_users), str(len(wanted)), *sorted(wanted), *sorted(constants))
    return _kept("needed part", bitcode, words, make)


def _kept(kind: str, bitcode: bytes, words: tuple[str, ...], make: Callable[[], bytes]) -> bytes:
    if not LEAST <= len(bitcode) <= MOST:
        return make()
    key = cache_key(kind, _version(), cache_key(*words), bitcode)
    return open_cache("compiled").remember(key, make)


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


@cache
def _version() -> str:
    """Of what makes them: LLVM, and our rules."""
    ours = (Path(str(each.__file__)).read_bytes() for each in (rules, reader))
    return llvm_version() + sha256(b"\0".join(ours)).hexdigest()
