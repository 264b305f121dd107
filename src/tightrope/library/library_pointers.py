"""What functions of the C library do to the pointers that they are given.

One word per argument:  -  nothing of interest     s  reads a string     d  writes a string
    r2  reads as many bytes as argument 2 says     w2  writes them     m2  both     w12  argument 1 times argument 2
    o  writes one object     i  reads one object     e3  sets a pointer into argument 3 (`strtol`'s `end`)
After `=`, the argument that is the result; after `>`, the one that the result leads into.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Effect:
    """`lengths`: the arguments whose product is the number of bytes."""

    letter: str
    lengths: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class LibraryFunction:
    effects: tuple[Effect, ...]
    result_from: int | None = None
    leads_into: bool = False  # the result is a pointer into what that argument points to
    is_copy: bool = False  # of bytes that nobody looks at


_TABLE = """
    strlen s; strnlen s -; strcmp s s; strncmp s s -; strcasecmp s s; strncasecmp s s -; strcoll s s
    strchr s - > 0; strrchr s - > 0; strchrnul s - > 0; index s - > 0; rindex s - > 0; strstr s s > 0; strpbrk s s > 0
    strcasestr s s > 0; strspn s s; strcspn s s; strdup s; strndup s -; strtok s s > 0; strtok_r s s - > 0; strsep - s
    strcpy d s = 0; strncpy w2 s - = 0; strcat d s = 0; strncat d s - = 0; stpcpy d s > 0; stpncpy w2 s - > 0
    strlcpy w2 s -; strlcat w2 s -; strxfrm w2 s -; strerror_r - w2 -; basename s > 0; dirname s > 0
    atoi s; atol s; atoll s; atof s; strtol s e0 -; strtoul s e0 -; strtoll s e0 -; strtoull s e0 -; strtod s e0
    strtof s e0; strtold s e0; strtoimax s e0 -; strtoumax s e0 -
    memcpy w2 r2 - = 0; mempcpy w2 r2 - > 0; memmove w2 r2 - = 0; memset w2 - - = 0; bzero w1 -; bcopy r2 w2 -
    memcmp r2 r2 -; bcmp r2 r2 -; memchr r2 - - > 0; memrchr r2 - - > 0; memmem r1 - r3 - > 0; explicit_bzero w1 -
    qsort m12 - - -; bsearch - r23 - - - > 1
    fopen s s; freopen s s -; open s - -; openat - s - -; creat s -; access s -; stat s o; lstat s o; fstat - o
    unlink s; remove s; rename s s; mkdir s -; rmdir s; chdir s; opendir s; readlink s w2 -; realpath s d; link s s
    symlink s s; getenv s; setenv s s -; unsetenv s; putenv s; system s; popen s s; execvp s -; execv s -; execl s
    execlp s; puts s; fputs s -; perror s; fgets w1 - -; gets d; fread w12 - - -; fwrite r12 - - -
    read - w2 -; write - r2 -; pread - w2 - -; pwrite - r2 - -; recv - w2 - -; send - r2 - -; getcwd w1 -
    printf s; fprintf - s; sprintf d s; snprintf w1 - s; vprintf s -; vfprintf - s -; vsprintf d s -; vsnprintf w1 - s -
    dprintf - s; asprintf o s; vasprintf o s -; syslog - s; scanf s; fscanf - s; sscanf s s; vsscanf s s -; errx - s
    inet_addr s; inet_aton s o; inet_pton - s o; inet_ntop - i w3 -; gethostbyname s; time o; gmtime i; localtime i
    mktime m; ctime i; asctime i; strftime w1 - s i; gmtime_r i o; localtime_r i o; strptime s s o; gettimeofday o -
    frexp - o; modf - o; frexpf - o; modff - o; free -; realloc - - = 0; reallocarray - - - = 0; fclose -; fflush -
    regcomp - s -; regexec - s - - -; fnmatch s s -; glob s - - -; setlocale - s; gettext s = 0; dcgettext - s - = 1
    tolower -; toupper -; exit -; abort; malloc -; calloc - -; alloca -; putchar -; fputc - -; getline o o -; wcslen i
"""
_MODERN = re.compile(r"@(?:__isoc\d+_|__builtin_+|__GI_|__)?(\w+?)(?:_chk)?")
_INTRINSIC = re.compile(r"@llvm\.(memcpy|memmove|memset)\.(?:inline\.)?p\d")


_COPIES = frozenset(("memcpy", "mempcpy", "memmove", "memset", "bcopy", "bzero", "explicit_bzero"))


def _read_line(line: str) -> tuple[str, LibraryFunction]:
    words, _, result = line.replace(">", "=").partition("=")
    name, *effects = words.split()
    read = tuple(Effect(one[0], tuple(int(digit) for digit in one[1:])) for one in effects)
    return name, LibraryFunction(read, int(result) if result else None, ">" in line, name in _COPIES)


_FUNCTIONS: Mapping[str, LibraryFunction] = dict(
    _read_line(part) for line in _TABLE.strip().splitlines() for part in line.split(";") if part.strip()
)


def library_function(symbol: str) -> LibraryFunction | None:
    """What is known of `@strlen`, `@__memcpy_chk`, `@__isoc23_strtol` or `@llvm.memcpy.p0.p0.i64`."""
    found = _INTRINSIC.match(symbol) or _MODERN.fullmatch(symbol)
    if symbol[1:] in _FUNCTIONS:
        return _FUNCTIONS[symbol[1:]]
    return _FUNCTIONS.get(found.group(1)) if found else None


def is_annotation(symbol: str) -> bool:
    """True for intrinsics that look at no memory: debug records, lifetimes, arithmetic."""
    return symbol.startswith("@llvm.") and not _INTRINSIC.match(symbol)
