"""Which C library functions have a model, and which may be called as they are.

A model is C that is compiled and woven like the unit, so that its meaning needs no second
description. To model one more header: one file in library/models/, one line in `HEADERS`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from tightrope.expr.operators import Op

PREFIX = "tightrope_model_"  # the model of `strlen` is called tightrope_model_strlen
FOLDER = Path(__file__).parent / "models"


@dataclass(frozen=True, slots=True)
class Header:
    """One C header, or a part of one: the file that models it and the functions in that file."""

    name: str
    stem: str  # of the file
    functions: tuple[str, ...]

    @property
    def file(self) -> Path:
        return FOLDER / f"{self.stem}.c"


def _header(name: str, functions: str, stem: str = "") -> Header:
    return Header(name, stem or name.removesuffix(".h"), tuple(functions.split()))


HEADERS: tuple[Header, ...] = (
    _header(
        "ctype.h",
        "isupper islower isalpha isdigit isxdigit isspace isprint isgraph isblank iscntrl ispunct isalnum isascii"
        " toascii tolower toupper __ctype_b_loc __ctype_tolower_loc __ctype_toupper_loc",
    ),
    _header("errno.h", "__errno_location"),
    _header("malloc.h", "malloc calloc realloc free"),
    _header("malloc.h", "aligned_alloc memalign posix_memalign reallocarray", "malloc_more"),
    _header(
        "math.h",
        "lround lroundf llround llroundf lrint lrintf llrint llrintf fdim fdimf modf modff __isnan __isnanf isnan"
        " __isinf __isinff isinf __finite __finitef finite __fpclassify __fpclassifyf",
    ),
    _header(
        "math.h",
        "ldexp ldexpf scalbn scalbnf scalbln scalblnf frexp frexpf ilogb ilogbf logb logbf copysign copysignf"
        " __signbit __signbitf nextafter nextafterf",
        "math_bits",
    ),
    _header(
        "stdlib.h",
        "abs labs llabs div ldiv lldiv strtol strtoll strtoul strtoull __isoc23_strtol __isoc23_strtoll"
        " __isoc23_strtoul __isoc23_strtoull atoi atol atoll bsearch qsort qsort_r",
    ),
    _header("stdlib.h", "strtod strtof atof", "stdlib_real"),
    _header("stdio.h", "vsnprintf vsprintf snprintf sprintf vasprintf asprintf", "stdio_print"),
    _header("stdio.h", "vfprintf vprintf fprintf printf puts fputs putchar fputc putc fwrite fflush", "stdio_write"),
    _header(
        "stdio.h",
        "sscanf vsscanf __isoc99_sscanf __isoc99_vsscanf __isoc23_sscanf __isoc23_vsscanf",
        "stdio_scan",
    ),
    _header(
        "stdio.h",
        "getchar getchar_unlocked getc getc_unlocked fgetc _IO_getc ungetc feof ferror clearerr fgets gets fread read"
        " getline getdelim __getdelim scanf fscanf vscanf vfscanf __isoc99_scanf __isoc99_fscanf __isoc99_vscanf"
        " __isoc99_vfscanf __isoc23_scanf __isoc23_fscanf __isoc23_vscanf __isoc23_vfscanf",
        "stdio_read",
    ),
    _header(
        "string.h",
        "memcpy mempcpy memmove memset memccpy memcmp memchr memrchr strlen strnlen stpcpy strcpy stpncpy strncpy"
        " strcat strncat strcmp strncmp strcoll strchrnul strchr strrchr strstr strspn strcspn strpbrk strtok_r"
        " strtok strsep strndup strdup",
    ),
    _header(
        "string.h",
        "rawmemchr memmem explicit_bzero swab strcasestr strlcpy strlcat strxfrm"
        " __mempcpy __stpcpy __rawmemchr __strdup __strndup __strtok_r",
        "string_more",
    ),
    _header("strings.h", "strcasecmp strncasecmp bcmp bcopy bzero index rindex ffs ffsl ffsll"),
    _header("inttypes.h", "imaxabs imaxdiv strtoimax strtoumax __isoc23_strtoimax __isoc23_strtoumax"),
    _header("arpa/inet.h", "htons ntohs htonl ntohl", "inet"),
    _header("libgen.h", "basename __xpg_basename dirname"),
    _header("libintl.h", "gettext dgettext dcgettext ngettext dngettext dcngettext"),
    _header("signal.h", "sigemptyset sigfillset sigaddset sigdelset sigismember"),
    _header(
        "wchar.h",
        "wcslen wcsnlen wmemcpy wmemmove wmemset wmemcmp wmemchr wcscpy wcsncpy wcscat wcsncat wcscmp wcsncmp wcscoll"
        " wcschr wcsrchr wcsstr wcsspn wcscspn wcspbrk wcsdup btowc wctob __ctype_get_mb_cur_max mbsinit mbrtowc"
        " mbrlen mbtowc mblen wcrtomb wctomb mbstowcs wcstombs",
    ),
    _header(
        "wctype.h",
        "iswupper iswlower iswalpha iswdigit iswxdigit iswspace iswprint iswgraph iswblank iswcntrl iswalnum iswpunct"
        " towlower towupper",
    ),
    _header("err.h", "err errx verr verrx"),
    _header("error.h", "error error_at_line"),
    _header("time.h", "difftime"),
    _header(
        "pthread.h",
        "pthread_mutex_init pthread_mutex_destroy pthread_mutex_lock pthread_mutex_trylock pthread_mutex_unlock"
        " pthread_mutexattr_init pthread_mutexattr_settype pthread_mutexattr_destroy pthread_cond_signal"
        " pthread_cond_broadcast pthread_once",
    ),
    _header("math.h", "fmod fmodf", "math_fmod"),
    _header(
        "(_FORTIFY_SOURCE)",
        "__memcpy_chk __mempcpy_chk __memmove_chk __memset_chk __stpcpy_chk __strcpy_chk __stpncpy_chk __strncpy_chk"
        " __strcat_chk __strncat_chk __vsnprintf_chk __snprintf_chk __vsprintf_chk __sprintf_chk",
        "fortify",
    ),
)

MODELLED: Mapping[str, Header] = MappingProxyType({name: header for header in HEADERS for name in header.functions})
"""Function -> the header that models it."""


def is_model(file: str) -> bool:
    """Whether a place in this file lies in a model."""
    return FOLDER in Path(file).parents


BY_POINTER: frozenset[str] = frozenset(("malloc", "calloc", "realloc", "free"))
"""Functions whose models are for calls through pointers alone."""

SHARED_WITH_DRIVER: frozenset[str] = frozenset(("tightrope_stdin", "tightrope_stdin_size", "tightrope_stdin_length"))
"""Variables of models that a driver may define in their place."""

REQUIRES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "fortify": ("string", "stdio_print"),
        "inttypes": ("stdlib",),
        "libgen": ("string",),
        "malloc_more": ("errno",),
        "math_bits": ("errno",),
        "signal": ("errno",),
        "stdio_print": ("string", "errno"),
        "stdio_read": ("stdio_scan",),
        "stdio_scan": ("errno", "stdlib_real"),
        "stdio_write": ("stdio_print", "string"),
        "stdlib": ("errno",),
        "string_more": ("string",),
        "strings": ("string",),
        "wchar": ("errno",),
    }
)
"""File of models -> files whose models its own models call."""

HARMLESS: frozenset[str] = frozenset(
    "printf vprintf fprintf vfprintf puts fputs putchar putc fputc putchar_unlocked putc_unlocked fwrite fflush perror"
    " setbuf setvbuf setlinebuf syslog vsyslog openlog closelog dprintf vdprintf write fputs_unlocked fputc_unlocked"
    " fwrite_unlocked fflush_unlocked putw fputwc putwc putwchar fputws wprintf fwprintf psignal warn warnx vwarn"
    " vwarnx"
    " __printf_chk __vprintf_chk __fprintf_chk __vfprintf_chk".split()
)
"""Functions called as they are: they write no memory of the unit, and what they print goes nowhere. Where somebody
looks at what they answer, those that have a model are modelled, and the others answer a concrete number."""

TRACELESS: frozenset[str] = frozenset(
    "sscanf vsscanf __isoc99_sscanf __isoc99_vsscanf __isoc23_sscanf __isoc23_vsscanf tightrope_native_vsnprintf"
    " strtold strerror_r strftime"
    " time clock mktime gmtime gmtime_r localtime localtime_r gettimeofday clock_gettime"
    " getpid getppid getuid geteuid getgid getegid getenv secure_getenv isatty sysconf".split()
)
"""Further functions of the library that leave the process as it was: the next run may have the same one."""


_USES_BUFFERS_OR_FILES = re.compile("set|write|v?dprintf")


def leaves_no_trace(name: str) -> bool:
    """False when a call may change the process: its signal handlers, folder, files, timers, random numbers ...
    Buffers given to a stream are the unit's own, which are gone in the next run."""
    return name in TRACELESS or name in LOOKUPS or (name in HARMLESS and not _USES_BUFFERS_OR_FILES.match(name))


_OWN_STATE = frozenset({"strtok"})  # modelled, but the library's one remembers something


def may_change_process(name: str) -> bool:
    """Whether a call of this library function, without probes, may matter to a later call of the unit."""
    is_known = name in MODELLED or name in NUMERIC or name in LOOKUPS or name in EXACT_MATH or name in HEAP_AND_ENDS
    return name in _OWN_STATE or not (is_known or leaves_no_trace(name))


HEAP_AND_ENDS: frozenset[str] = frozenset(
    "malloc calloc realloc free valloc exit _exit _Exit quick_exit abort __assert_fail __assert __assert_rtn"
    " longjmp _longjmp siglongjmp __longjmp_chk".split()
)
"""Functions that the runtime does itself."""


NUMERIC: frozenset[str] = frozenset(
    stem + suffix
    for stem in (
        "sin cos tan asin acos atan atan2 sinh cosh tanh asinh acosh atanh exp exp2 expm1 log log2 log10 log1p pow"
        " cbrt hypot tightrope_native_fmod remainder erf erfc tgamma lgamma"
    ).split()
    for suffix in ("", "f")
)
"""Functions of <math.h> called as they are, with concrete arguments: a concretisation, and no other effect."""

LOOKUPS: frozenset[str] = frozenset("strerror strsignal gai_strerror hstrerror getpagesize getdtablesize".split())
"""Functions that answer always the same, or the address of a text in the library's memory: who reads it there makes
the path approximate, who only prints it does not."""

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
    waiting = [MODELLED[name].stem for name in functions if name in MODELLED]
    needed: set[str] = set()
    while waiting:
        stem = waiting.pop()
        waiting += [] if stem in needed else REQUIRES.get(stem, ())
        needed.add(stem)
    return tuple(header for header in HEADERS if header.stem in needed)


_SCANNER = re.compile(r"(?:__isoc\d+_)?v?([fs]?)scanf")
_SCANNED = re.compile(
    rb"%\*?\d*(?:(?:hh|h|ll|l|j|z|t|q|L)?[diouxXn]|[lL]?(?:[feEgGFA]|a(?![sS\[]))|[cs%]|\[\^?\]?[^\]]*\])"
)


def format_of_scanner(name: str) -> int | None:
    """Which argument of scanf or one of its kin is the format; None: it is none of them."""
    found = _SCANNER.fullmatch(name)
    return len(found[1]) if found else None


def can_scan(name: str, form: bytes | None) -> bool:
    """Whether the model of scanf, or of one of its kin, knows everything that this format asks for.

    None: it is not known. Then the library scans for `sscanf`; in the place of the others it could not: it does not
    know what standard input holds, and we do not see what it writes to the places of a `va_list`."""
    if form is None:
        return not name.endswith("sscanf") or name.endswith("vsscanf")
    return b"%" not in _SCANNED.sub(b"", form)
