"""What C names say about lengths: is this integer a length, and of which pointer?

A name is split into words (`src_len`, `srcLen` -> src, len). The name of a length contains a word that says so; the
rest of the name tells whose length it is. The tables of words come first.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# A whole name that is a length.
WHOLE = _words(
    "n nn len length size count cnt num number sz siz nelem nelems nelt nelts nmemb nel nbyte nbytes nchar nchars nitem"
    " nitems nobj nwords capacity cap max maxlen maxsize maxcount maxbytes nmax limit strlen bytes elements entries"
    " items total avail used remaining amt amount cb cch dim limbs"
)
# The last word of a length (`buf_len`, `buflen`), the first one (`n_items`), and which of them count elements.
SUFFIXES = ("length", "len", "size", "siz", "sz", "count", "cnt", "capacity", "cap", "nelem", "nelems", "nmemb", "max")
PREFIXES = ("number", "count", "size", "num", "len", "cnt", "max", "nb", "nr", "n")
COUNTING = _words("count cnt n num number nb nr nelem nelems nmemb")
# The size of one of these is not the length of an array; a count of them is, of whichever array stands near.
ELEMENTS = _words(
    "elem element elems elements elt elts item items entry entries member byte bytes char chars type struct object obj"
    " word words unit cell record field slot"
)
# The size of one of these is a length only where a pointer has that very name.
PIECES = _words(
    "block page chunk row col column line sector cluster frame sample font tab cache stack hash digest window"
)
# Integers that are not lengths although part of the name looks like it, and words that mark such integers.
NEVER = _words("account discount refcount resize nonce name node next new no not now null nil nice negate neg min")
OTHER = _words(
    "flag flags mode base radix fd index idx indx ind id pos position offset off where x y z kind tag state status err"
    " error errno ret result rc version level depth prec precision width height seed port bit bits shift mask op code"
    " ch chr c delim sep separator min timeout time sec msec usec ms first order scale rate ref refs refcount"
)
CONTEXTS = _words(
    "ctx context self this arg args user userdata priv private opaque closure rng handle cookie env state"
)
NEVER_SIZED = _words("fmt format errmsg")  # strings without a separate length
# Pointers that hold the data when several could, and contexts that never do.
DATA = _words(
    "buf buffer data in out input output src dst dest source text str string s d p msg message bytes ptr from to"
    " payload array arr vec list table values samples keys items elements entries words chars base z"
)
ALIKE: Mapping[str, frozenset[str]] = {  # a word in the name of a length -> the pointers that it may mean
    "s": _words("src source str string s"),
    "d": _words("dst dest destination d"),
    "i": _words("in input ibuf ip inbuf"),
    "o": _words("out output obuf op outbuf"),
    "b": _words("buf buffer b"),
    "src": _words("source s from in input"),
    "source": _words("src s"),
    "dst": _words("dest destination d to out output"),
    "dest": _words("dst destination d to out output"),
    "in": _words("input ibuf inbuf src"),
    "out": _words("output obuf outbuf dst dest"),
    "input": _words("in ibuf"),
    "output": _words("out obuf"),
    "buf": _words("buffer b"),
    "buffer": _words("buf b"),
    "str": _words("string s text"),
    "string": _words("str s"),
    "msg": _words("message m"),
    "message": _words("msg m"),
    "pat": _words("pattern"),
    "arg": _words("argv args av"),
    "env": _words("envp environ"),
    "elem": _words("base array arr"),
}
_HUNGARIAN = _words("p pp z a ap az lp sz psz lpsz pb pc pa")  # sqlite's `zSql`, `aData`


@dataclass(frozen=True, slots=True)
class LengthName:
    """`about`: whose length, as far as the name says; '' when it says nothing."""

    about: str
    counts: bool = True  # false for `size` and `capacity`, which may be more than what is in use
    least_fit: int = 0  # how well a pointer's name must fit, see `fit`


@cache
def split_name(name: str) -> tuple[str, ...]:
    """`srcLen`, `src_len` and `SRCLen` -> ('src', 'len')."""
    spaced = re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", name)
    spaced = re.sub(r"([A-Z]+)([A-Z][a-z])", r"\1_\2", spaced)
    return tuple(word for word in spaced.lower().split("_") if word)


@cache
def read_length_name(name: str) -> LengthName | None:
    """What the name tells about a length; None if it cannot be the name of one."""
    words = split_name(name)
    whole = "".join(words)
    if not words or whole in NEVER:
        return None
    if whole == "argc":
        return LengthName("arg", least_fit=3)
    digits = re.fullmatch(r"(.*\D)(\d)", whole)
    if whole in WHOLE or (digits and digits.group(1) in WHOLE):  # n, or n1 of s1
        return LengthName(
            digits.group(2) if digits else "", whole.rstrip("0123456789") not in ("size", "capacity", "sz")
        )
    if len(words) > 1 and (words[-1] in SUFFIXES or words[0] in PREFIXES):
        return _by_words(words)
    return _glued(whole) or _glued_prefix(whole)


def _by_words(words: tuple[str, ...]) -> LengthName | None:
    if words[-1] in SUFFIXES:
        return None if words[0] == "min" else _named(_about(words[:-1]), words[-1])
    return _named("".join(words[1:]).removeprefix("of"), words[0])


def _about(words: tuple[str, ...]) -> str:
    return "".join(words[1:] if len(words) > 1 and words[0] in ("max", "num", "n", "total") else words)


def _named(about: str, word: str) -> LengthName | None:
    if about == "min" or about.endswith("bit"):
        return None
    if about in ("max", "total", "num", "n", "actual", "cur", "current", "new", "old"):
        return LengthName("", word in COUNTING or word in ("len", "length"))
    if about in ELEMENTS:
        return LengthName("") if word in COUNTING else None
    least_fit = 4 if about in PIECES else 3 if about in OTHER or word == "max" else 0
    return LengthName(about, word in COUNTING or word in ("len", "length"), least_fit)


_GLUED = re.compile(rf"([a-z0-9]+?)({'|'.join(SUFFIXES)})(\d?)")
_GLUED_PREFIX = re.compile(r"(num|nb|nr|len|max|n)([a-z0-9]{2,})")


def _glued(whole: str) -> LengthName | None:
    """`buflen`, `dlen`, `slen2`."""
    found = _GLUED.fullmatch(whole)
    return _named(found.group(1) + found.group(3), found.group(2)) if found else None


def _glued_prefix(whole: str) -> LengthName | None:
    """`numstates`, `nacc`, `lenccl`: many other words begin so; thus the rest must be the name of a pointer."""
    found = _GLUED_PREFIX.fullmatch(whole)
    if not found:
        return None
    is_plural = found.group(1) in ("num", "n") and whole.endswith("s") and len(whole) > 4 and whole[-2] not in "su"
    if found.group(2) in ELEMENTS:
        return LengthName("")
    return LengthName(found.group(2), least_fit=0 if is_plural else 2)


def fit(about: str, pointer: str) -> int:
    """How well `about` matches the name of the pointer, from 4 (equal) to 0 (not at all)."""
    words = split_name(pointer)
    name = "".join(words)
    bare = "".join(words[1:]) if len(words) > 1 and words[0] in _HUNGARIAN else name
    if not about or not name:
        return 0
    if about in (name, bare):
        return 4
    if {name, bare} & ALIKE.get(about, frozenset()) or _is_plural(about, bare):
        return 3
    if about.isdigit():
        return 3 if name.endswith(about) else 0
    if _begins_or_ends(about, bare):
        return 2
    return int(len(about) == 1 and bare.startswith(about))


def _is_plural(one: str, other: str) -> bool:
    short, long = sorted((one, other), key=len)
    return long in (short + "s", short + "es", short[:-1] + "ies")


def _begins_or_ends(one: str, other: str) -> bool:
    short, long = sorted((one, other), key=len)
    if len(short) < 3:
        return False
    if long.startswith(short):
        return long[len(short) :] not in OTHER | {"ptr"}
    return long.endswith(short) and long[: -len(short)] not in OTHER
