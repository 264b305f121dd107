"""Which C library functions have a model, and which may be called as they are.

A model is C that is compiled and woven like the unit, so that its meaning needs no second
description. To model one more header: one file in runtime/libc/, one line in `HEADERS`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from tightrope.expr.operators import Op

PREFIX = "tightrope_model_"  # the model of `strlen` is called tightrope_model_strlen
FOLDER = Path(__file__).parent / "runtime" / "libc"


@dataclass(frozen=True, slots=True)
class Header:
    """One C header: the file that models it and the functions in that file."""

    name: str
    functions: tuple[str, ...]

    @property
    def file(self) -> Path:
        return FOLDER / f"{self.name.removesuffix('.h')}.c"


def _header(name: str, functions: str) -> Header:
    return Header(name, tuple(functions.split()))


HEADERS: tuple[Header, ...] = (
    _header(
        "ctype.h",
        "isupper islower isalpha isdigit isxdigit isspace isprint isgraph isblank iscntrl ispunct isalnum isascii"
        " toascii tolower toupper __ctype_b_loc __ctype_tolower_loc __ctype_toupper_loc",
    ),
    _header("errno.h", "__errno_location"),
    _header("malloc.h", "malloc calloc realloc free"),
    _header(
        "math.h",
        "lround lroundf llround llroundf lrint lrintf llrint llrintf fdim fdimf modf modff __isnan __isnanf isnan"
        " __isinf __isinff isinf __finite __finitef finite __fpclassify __fpclassifyf",
    ),
    _header(
        "stdlib.h",
        "abs labs llabs div ldiv lldiv strtol strtoll strtoul strtoull __isoc23_strtol __isoc23_strtoll"
        " __isoc23_strtoul __isoc23_strtoull atoi atol atoll bsearch qsort",
    ),
    _header(
        "string.h",
        "memcpy mempcpy memmove memset memccpy memcmp memchr memrchr strlen strnlen stpcpy strcpy stpncpy strncpy"
        " strcat strncat strcmp strncmp strcoll strchrnul strchr strrchr strstr strspn strcspn strpbrk strtok_r"
        " strtok strsep strndup strdup",
    ),
    _header("strings.h", "strcasecmp strncasecmp bcmp bcopy bzero index rindex ffs ffsl ffsll"),
)

MODELLED: Mapping[str, Header] = MappingProxyType({name: header for header in HEADERS for name in header.functions})
"""Function -> the header that models it."""


def is_model(file: str) -> bool:
    """Whether a place in this file lies in a model."""
    return FOLDER in Path(file).parents


BY_POINTER: frozenset[str] = frozenset(("malloc", "calloc", "realloc", "free"))
"""Functions whose models are for calls through pointers alone."""

REQUIRES: Mapping[str, tuple[str, ...]] = MappingProxyType({"strings.h": ("string.h",), "stdlib.h": ("errno.h",)})
"""Header -> headers whose models its own models call."""

HARMLESS: frozenset[str] = frozenset(
    "printf vprintf fprintf vfprintf puts fputs putchar putc fputc putchar_unlocked putc_unlocked fwrite fflush perror"
    " setbuf setvbuf setlinebuf syslog vsyslog openlog closelog"
    " __printf_chk __vprintf_chk __fprintf_chk __vfprintf_chk".split()
)
"""Functions called as they are: they write no memory of the unit, and what they print goes nowhere.
Their result is a concrete number."""

TRACELESS: frozenset[str] = frozenset(
    "snprintf sprintf vsnprintf vsprintf sscanf vsscanf __isoc99_sscanf __isoc23_sscanf __snprintf_chk __sprintf_chk"
    " strtod strtof strtold atof strerror strerror_r strxfrm strftime wcslen wcscmp wcscpy mbstowcs wcstombs"
    " time clock difftime mktime gmtime gmtime_r localtime localtime_r gettimeofday clock_gettime"
    " getpid getppid getuid geteuid getgid getegid getenv secure_getenv isatty sysconf setjmp _setjmp __sigsetjmp"
    " longjmp _longjmp siglongjmp __longjmp_chk aligned_alloc posix_memalign".split()
)
"""Further functions of the library that leave the process as it was: the next run may have the same one."""


def leaves_no_trace(name: str) -> bool:
    """False when a call may change the process: its signal handlers, folder, files, timers, random numbers ...
    Buffers given to a stream are the unit's own, which are gone in the next run."""
    return name in TRACELESS or (name in HARMLESS and not name.startswith("set"))


_OWN_STATE = frozenset({"strtok"})  # modelled, but the library's one remembers something


def may_change_process(name: str) -> bool:
    """Whether a call of this library function, without probes, may matter to a later call of the unit."""
    is_known = name in MODELLED or name in NUMERIC or name in EXACT_MATH or name in HEAP_AND_ENDS
    return name in _OWN_STATE or not (is_known or leaves_no_trace(name))


HEAP_AND_ENDS: frozenset[str] = frozenset(
    "malloc calloc realloc free valloc exit _exit _Exit quick_exit abort __assert_fail __assert __assert_rtn".split()
)
"""Functions that the runtime does itself."""


NUMERIC: frozenset[str] = frozenset(
    stem + suffix
    for stem in (
        "sin cos tan asin acos atan atan2 sinh cosh tanh asinh acosh atanh exp exp2 expm1 log log2 log10 log1p pow"
        " cbrt hypot fmod remainder erf erfc tgamma lgamma ldexp scalbn nextafter logb ilogb"
    ).split()
    for suffix in ("", "f")
)
"""Functions of <math.h> called as they are, with concrete arguments: a concretisation, and no other effect."""

COMPILER_SUPPORT: frozenset[str] = frozenset(
    f"__{stem}{kind}" for stem in ("mul", "div") for kind in ("sc3", "dc3", "xc3")
)
"""Functions that compilers call for products and quotients of complex numbers: as those of `NUMERIC`."""

EXACT_MATH: Mapping[str, Op] = MappingProxyType(
    {
        stem + suffix: op
        for stem, op in (
            ("sqrt", Op.F_SQRT), ("fabs", Op.F_ABS), ("floor", Op.F_FLOOR), ("ceil", Op.F_CEIL),
            ("trunc", Op.F_TRUNC), ("round", Op.F_ROUND), ("rint", Op.F_RINT), ("nearbyint", Op.F_RINT),
            ("fmin", Op.F_MIN), ("fmax", Op.F_MAX), ("fma", Op.F_FMA),
        )
        for suffix in ("", "f")
    }
)  # fmt: skip
"""Functions of <math.h> that are one operator of the expression language."""


def required_headers(functions: frozenset[str]) -> tuple[Header, ...]:
    """The headers whose models a unit that calls `functions` needs, in the order of `HEADERS`."""
    needed = {MODELLED[name].name for name in functions if name in MODELLED}
    for name in tuple(needed):
        needed.update(REQUIRES.get(name, ()))
    return tuple(header for header in HEADERS if header.name in needed)
