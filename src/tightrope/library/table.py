"""All that Tightrope knows about functions of the C library: one table, from which other files derive their sets.

A line that begins at the margin opens a section: the header, the file in library/models that holds the models of the
section's functions (without it: they have no model), and after `<` the files whose models that file calls.

The other lines are `names | pointers | facts`; functions that have all in common share a line.

Pointers: one word per argument; nothing at all where nobody has written down what the function does to pointers.
    -   nothing of interest      s   reads a string      d   writes a string      i   reads one object
    o   writes one object        r2  reads as many bytes as argument 2 says       w2  writes them      m2  both
    w12 argument 1 times argument 2 bytes       e3  sets a pointer into argument 3 (`strtol`'s `end`)
    = 0 the result is argument 0                > 0 the result leads into what argument 0 points to
    copy, before these words: it looks at none of the bytes

Facts: the words of `Fact`, and the fields of `LibraryFunction` that have a value, as in `ends=exit`.
    type=pzz  `void *f(size_t, size_t)`: p is `void *`, z `size_t`, c `char *`, s `const char *`
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from types import MappingProxyType

MODELS = Path(__file__).parent / "models"


class Fact(StrEnum):
    """A property that a function has or does not have."""

    # calls of the real function
    HARMLESS = "harmless"  # writes no memory of the unit; what it prints goes nowhere
    TRACELESS = "traceless"  # does not change the process, so the next run may use the same one
    LOOKUP = "lookup"  # always returns the same value, or the address of a text in the library's memory
    NUMERIC = "numeric"  # depends on its arguments alone, but has no symbolic expression
    KEEPS_STATE = "keeps-state"  # the function of the real library remembers something between calls
    KEEPS_FUNCTIONS = "keeps-functions"  # may call a function some time after it was given
    MAKES_STREAM = "makes-stream"  # other than by opening a file
    LENDS_MEMORY = "lends-memory"  # gives memory of the unit to a stream, which writes there later
    SETS_SIGNGAM = "sets-signgam"
    SETS_ERRNO = "sets-errno"  # although it is expressed by a single operator
    IN_EVERY_PROGRAM = "in-every-program"  # linked into each program statically, so not found in the shared library
    # memory
    ALLOCATES = "allocates"  # returns a new block, or NULL if there is no memory
    NEEDS_MEMORY = "needs-memory"  # allocates a block but does not return it; fails if there is no memory
    RESIZES = "resizes"  # keeps the old block when it fails
    MOVES_BLOCKS = "moves-blocks"  # may free a block of the caller, or move it, and is none of those that `heap` names
    # streams
    READS_STDIN = "reads-stdin"  # without a parameter for the stream
    READS_STREAM = "reads-stream"  # a stream that is an argument
    WRITES_STREAM = "writes-stream"
    TO_DESCRIPTOR = "to-descriptor"  # prints to the file whose number is its first argument
    OUTPUT = "output"  # its arguments become visible outside of the program
    # taken for granted: see GRANTED
    SUCCEEDS = "succeeds"  # the real function may fail; the model does not, unless its arguments say so
    FREE_OF_ERRORS = "free-of-errors"
    C_LOCALE = "c-locale"
    TO_NEAREST = "to-nearest"
    ALONE = "alone"
    NO_SIGNALS = "no-signals"
    # the environment
    OUTSIDE = "outside"  # depends on the world outside of the program, or acts on it: a stub by default
    ELSEWHERE = "elsewhere"  # as OUTSIDE, if the program never gives it 0 as the number of a file
    PASSING = "passing"  # with OUTSIDE: a later program gets another answer
    OPENS = "opens"  # gives the program the number of a file
    OUTPUTS = "outputs"  # with OUTSIDE: what the stub writes is chosen as for a function without a body
    MESSAGE = "message"  # with OUTSIDE: it fills what its second argument, a `struct msghdr`, leads to
    FILES = "files"  # as OUTSIDE, if the program only reads the files that it opens: its stream is an input then
    WAITS = "waits"  # with OUTSIDE: programs call it again and again until it fails, so a stub without answers fails
    STORES = "stores"  # the result is also stored where the argument points
    TAKES_BASE = "takes-base"  # of numbers, as its third argument: C knows 0 and 2 to 36, others may do anything
    WRAPPED_BY_GCOV = "wrapped-by-gcov"  # `gcc --coverage` calls a function of its own, even where a stub has the name


GRANTED: Mapping[Fact, str] = MappingProxyType(
    {
        Fact.SUCCEEDS: "does not fail",
        Fact.FREE_OF_ERRORS: "no error of input or output occurs",
        Fact.C_LOCALE: "as in the C locale",
        Fact.TO_NEAREST: "rounds to the nearest number",
        Fact.ALONE: "no other thread interferes",
        Fact.NO_SIGNALS: "no signal arrives from outside",
    }
)
"""What a model takes for granted, in the words of the report."""


@dataclass(frozen=True, slots=True)
class Effect:
    """What a function does to one of its pointers. `lengths`: the arguments whose product is the number of bytes."""

    letter: str
    lengths: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class PointerEffects:
    """What a function does to its pointers."""

    arguments: tuple[Effect, ...]
    result_from: int | None = None
    leads_into: bool = False  # the result is a pointer into what that argument points to
    is_copy: bool = False  # it copies bytes without inspecting them


@dataclass(frozen=True, slots=True)
class LibraryFunction:
    """One function of the C library."""

    name: str
    header: str  # '(...)': no header declares it
    model: str  # the file in library/models, without its ending; '': there is no model
    pointers: PointerEffects | None  # None: unknown
    facts: frozenset[Fact] = frozenset()
    ends: str = ""  # how it ends the run: 'exit', 'abort', 'assertion', 'jump'
    twice: str = ""  # for functions that return twice or into another function: the name as written in C
    heap: str = ""  # the runtime implements it like this function: 'malloc', 'calloc', 'realloc', 'free'
    form: str = ""  # the function of the runtime that is called in its place
    operator: str = ""  # the operator of the expression language that computes the same
    type: tuple[str, ...] = ()  # of allocators that may fail: the C types of the result and the parameters
    sizes: tuple[int, ...] = ()  # of allocators: the parameters, counted from 1, whose product is the size
    mask: int | None = None  # with OUTSIDE: the bits that the result can have
    writes: int = 0  # with OUTSIDE: the parameter, counted from 1, through which it writes a further result
    spelled: str = ""  # what a report calls it, if macros hide the call
    result: str = ""  # with OUTSIDE: what POSIX promises: 'status', 'number', 'failure' (harness/stubs.py)
    most: int = 0  # with OUTSIDE: the parameter, counted from 1, that is the largest result


_TABLE = """
ctype.h ctype
    isdigit isxdigit isascii toascii
    isupper islower isalpha isspace isprint isgraph isblank iscntrl ispunct isalnum | | c-locale
    tolower toupper | - | c-locale
    __ctype_b_loc       | | c-locale spelled=ctype.h
    __ctype_tolower_loc | | c-locale spelled=tolower()
    __ctype_toupper_loc | | c-locale spelled=toupper()

errno.h errno
    __errno_location

malloc.h malloc
    malloc  | -       | allocates heap=malloc type=pz sizes=1
    calloc  | - -     | allocates heap=calloc type=pzz sizes=12
    realloc | - - = 0 | allocates heap=realloc type=ppz sizes=2 resizes
    free    | -       | heap=free

malloc.h malloc_more < errno
    aligned_alloc memalign | | allocates type=pzz sizes=2
    posix_memalign |           | needs-memory
    reallocarray   | - - - = 0 | allocates type=ppzz sizes=23 resizes moves-blocks

math.h math
    lround lroundf llround llroundf fdim fdimf
    lrint lrintf llrint llrintf | | to-nearest
    modf modff | - o
    __isnan __isnanf isnan __isinf __isinff isinf __finite __finitef finite __fpclassify __fpclassifyf

math.h math_bits < errno
    ldexp ldexpf scalbn scalbnf scalbln scalblnf
    frexp frexpf | - o
    ilogb ilogbf logb logbf copysign copysignf __signbit __signbitf nextafter nextafterf

stdlib.h stdlib < errno
    abs labs llabs div ldiv lldiv
    strtol strtoll strtoul strtoull | s e0 - | takes-base
    __isoc23_strtol __isoc23_strtoll __isoc23_strtoul __isoc23_strtoull | | takes-base
    atoi atol atoll | s
    bsearch         | - r23 - - - > 1
    qsort           | m12 - - -
    qsort_r

stdlib.h stdlib_real
    strtod strtof | s e0 | c-locale
    atof          | s    | c-locale

stdio.h stdio_print < string errno
    vsnprintf | w1 - s -
    vsprintf  | d s -
    snprintf  | w1 - s
    sprintf   | d s
    vasprintf | o s -    | needs-memory
    asprintf  | o s      | needs-memory

stdio.h stdio_write < stdio_print string
    vfprintf | - s -     | harmless traceless output writes-stream succeeds
    vprintf  | s -       | harmless traceless output succeeds
    fprintf  | - s       | harmless traceless output writes-stream succeeds
    printf   | s         | harmless traceless output succeeds
    puts     | s         | harmless traceless output succeeds
    fputs    | s -       | harmless traceless output writes-stream succeeds
    putchar  | -         | harmless traceless output succeeds
    fputc    | - -       | harmless traceless output writes-stream succeeds
    putc     |           | harmless traceless output writes-stream succeeds
    fwrite   | r12 - - - | harmless traceless output writes-stream succeeds
    fflush   | -         | harmless traceless writes-stream succeeds

stdio.h stdio_scan < errno stdlib_real
    sscanf  | s s   | traceless
    vsscanf | s s - | traceless
    __isoc99_sscanf __isoc99_vsscanf __isoc23_sscanf __isoc23_vsscanf | | traceless

stdio.h stdio_read < stdio_scan
    getchar getchar_unlocked             |           | reads-stdin
    getc getc_unlocked fgetc fgetc_unlocked _IO_getc | | reads-stream
    ungetc                               |           | reads-stream
    feof feof_unlocked clearerr clearerr_unlocked
    ferror ferror_unlocked               |           | free-of-errors
    fgets fgets_unlocked                 | w1 - -    | reads-stream
    gets                                 | d         | reads-stdin
    fread fread_unlocked                 | w12 - - - | reads-stream
    read                                 | - w2 -    | reads-stdin succeeds elsewhere outputs waits result=number most=3
    getline                              | o o -     | reads-stream needs-memory moves-blocks
    getdelim __getdelim                  |           | reads-stream needs-memory moves-blocks
    scanf                                | s         | reads-stdin
    fscanf                               | - s       | reads-stream
    vscanf                               |           | reads-stdin
    vfscanf                              |           | reads-stream
    __isoc99_scanf __isoc99_vscanf       |           | reads-stdin
    __isoc99_fscanf __isoc99_vfscanf     |           | reads-stream
    __isoc23_scanf __isoc23_vscanf       |           | reads-stdin
    __isoc23_fscanf __isoc23_vfscanf     |           | reads-stream
    fopen fopen64                        | s s       | keeps-state files

string.h string
    memcpy memmove   | copy w2 r2 - = 0
    mempcpy          | copy w2 r2 - > 0
    memset           | copy w2 - - = 0
    memccpy
    memcmp           | r2 r2 -
    memchr memrchr   | r2 - - > 0
    strlen           | s
    strnlen          | s -
    stpcpy           | d s > 0
    strcpy strcat    | d s = 0
    stpncpy          | w2 s - > 0
    strncpy          | w2 s - = 0
    strncat          | d s - = 0
    strcmp           | s s
    strcoll          | s s     | c-locale
    strncmp          | s s -
    strchrnul strchr strrchr | s - > 0
    strstr strpbrk   | s s > 0
    strspn strcspn   | s s
    strtok_r         | s s - > 0
    strtok           | s s > 0 | keeps-state
    strsep           | - s
    strndup          | s -     | allocates type=csz
    strdup           | s       | allocates type=cs

string.h string_more < string
    rawmemchr swab
    memmem          | r1 - r3 - > 0
    explicit_bzero  | copy w1 -
    strcasestr      | s s > 0 | c-locale
    strlcpy strlcat | w2 s -
    strxfrm         | w2 s -  | c-locale
    __mempcpy __stpcpy __rawmemchr __strtok_r
    __strdup __strndup | | allocates

strings.h strings < string
    strcasecmp   | s s   | c-locale
    strncasecmp  | s s - | c-locale
    bcmp         | r2 r2 -
    bcopy        | copy r2 w2 -
    bzero        | copy w1 -
    index rindex | s - > 0
    ffs ffsl ffsll

inttypes.h inttypes < stdlib
    imaxabs imaxdiv
    strtoimax strtoumax | s e0 - | takes-base
    __isoc23_strtoimax __isoc23_strtoumax | | takes-base

arpa/inet.h inet
    htons ntohs htonl ntohl

libgen.h libgen < string
    basename dirname | s > 0
    __xpg_basename

libintl.h libintl
    gettext   | s = 0     | c-locale
    dcgettext | - s - = 1 | c-locale
    dgettext ngettext dngettext dcngettext | | c-locale

getopt.h getopt < string
    getopt getopt_long getopt_long_only | | keeps-state

signal.h signal < errno
    sigemptyset sigfillset sigaddset sigdelset sigismember
    signal sigaction | | keeps-state no-signals keeps-functions
    raise            | | keeps-state no-signals

wchar.h wchar < errno
    wcslen | i
    wcsnlen wmemcpy wmemmove wmemset wmemcmp wmemchr wcscpy wcsncpy wcscat wcsncat wcscmp wcsncmp wcschr
    wcsrchr wcsstr wcsspn wcscspn wcspbrk
    wcsdup | | allocates
    wcscoll btowc wctob mbsinit mbstowcs wcstombs | | c-locale
    __ctype_get_mb_cur_max | | c-locale spelled=MB_CUR_MAX
    mbrtowc mbrlen mbtowc mblen wcrtomb wctomb | | c-locale keeps-state

wctype.h wctype
    iswdigit iswxdigit
    iswupper iswlower iswalpha iswspace iswprint iswgraph iswblank iswcntrl iswalnum iswpunct | | c-locale
    towlower towupper | | c-locale

err.h err
    err verr verrx |     | output
    errx           | - s | output

error.h error
    error error_at_line | | output

time.h time
    difftime

pthread.h pthread
    pthread_mutex_init pthread_mutex_destroy pthread_mutex_lock pthread_mutex_trylock pthread_mutex_unlock | | alone
    pthread_mutexattr_init pthread_mutexattr_settype pthread_mutexattr_destroy
    pthread_cond_signal pthread_cond_broadcast pthread_once | | alone

stdatomic.h stdatomic < string
    __atomic_load __atomic_store __atomic_exchange __atomic_compare_exchange | | alone spelled=_Atomic

math.h math_fmod
    fmod fmodf

(_FORTIFY_SOURCE) fortify < string stdio_print
    __memcpy_chk __mempcpy_chk __memmove_chk __memset_chk
    __stpcpy_chk __strcpy_chk __stpncpy_chk __strncpy_chk __strcat_chk __strncat_chk
    __vsnprintf_chk | w1 - - - s -
    __snprintf_chk  | w1 - - - s
    __vsprintf_chk  | d - - s -
    __sprintf_chk   | d - - s

(_FORTIFY_SOURCE)
    __fprintf_chk   | - - s   | harmless traceless output writes-stream
    __vfprintf_chk  | - - s - | harmless traceless output writes-stream
    __printf_chk    | - s     | harmless traceless output
    __vprintf_chk   | - s -   | harmless traceless output
    __longjmp_chk   |         | outside ends=jump

(compiler)
    __mulsc3 __muldc3 __mulxc3 __divsc3 __divdc3 __divxc3 | | numeric
    alloca | -

(models)
    tightrope_native_vsnprintf                       | | traceless
    tightrope_native_fopen                           | s s | traceless
    tightrope_native_fmod tightrope_native_fmodf     | | numeric
    tightrope_native_empty_stream                    | | numeric

math.h
    sqrt sqrtf           | | operator=F_SQRT sets-errno
    fabs fabsf           | | operator=F_ABS
    floor floorf         | | operator=F_FLOOR
    ceil ceilf           | | operator=F_CEIL
    trunc truncf         | | operator=F_TRUNC
    round roundf         | | operator=F_ROUND
    rint rintf nearbyint nearbyintf | | operator=F_RINT to-nearest
    fmin fminf           | | operator=F_MIN
    fmax fmaxf           | | operator=F_MAX
    fma fmaf             | | operator=F_FMA
    sin sinf cos cosf tan tanf asin asinf acos acosf atan atanf atan2 atan2f | | numeric
    sinh sinhf cosh coshf tanh tanhf | | numeric
    asinh asinhf acosh acoshf atanh atanhf exp expf exp2 exp2f expm1 expm1f log logf log2 log2f log10 log10f | | numeric
    log1p log1pf pow powf cbrt cbrtf hypot hypotf remainder remainderf erf erff erfc erfcf | | numeric
    tgamma tgammaf | | numeric
    lgamma lgammaf | | numeric sets-signgam

stdlib.h
    exit        | - | ends=exit
    _Exit quick_exit | | ends=exit
    abort       | - | ends=abort
    atexit at_quick_exit | | form=tr_at_exit in-every-program keeps-functions
    on_exit     |   | keeps-functions
    valloc      |   | allocates heap=malloc type=pz
    strtold     | s e0 | traceless
    rand        |   | outside mask=0x7fffffff
    random lrand48 | | outside mask=0x7fffffff
    mrand48 srand srandom srand48 | | outside
    getenv      | s | outside traceless
    secure_getenv | | outside traceless
    system      | s | outside
    setenv      | s s -
    unsetenv putenv | s
    realpath    | s d

assert.h
    __assert_fail __assert __assert_rtn | | ends=assertion

setjmp.h
    longjmp _longjmp siglongjmp | | outside ends=jump
    setjmp _setjmp         | | twice=setjmp
    sigsetjmp __sigsetjmp  | | twice=sigsetjmp

ucontext.h
    getcontext  | | twice=getcontext
    setcontext  | | twice=setcontext
    swapcontext | | twice=swapcontext
    makecontext | | twice=makecontext

stdio.h
    putchar_unlocked | | harmless traceless output
    putc_unlocked    | | harmless traceless output writes-stream
    fputs_unlocked fputc_unlocked fwrite_unlocked | | harmless traceless output writes-stream
    fflush_unlocked  | | harmless traceless writes-stream
    putw             | | harmless traceless output writes-stream
    perror           | s | harmless traceless output
    setbuf setvbuf   | | harmless lends-memory
    setlinebuf       | | harmless
    setbuffer        | | lends-memory
    fmemopen open_memstream open_wmemstream fopencookie | | lends-memory makes-stream
    fdopen tmpfile   | | makes-stream
    dprintf          | - s | harmless to-descriptor output
    vdprintf         |     | harmless to-descriptor output
    popen            | s s   | makes-stream
    freopen          | s s - | makes-stream
    fclose           | -     | files result=status
    remove           | s   | outside result=status
    rename           | s s | outside result=status
    renameat         |     | outside result=status

wchar.h
    fputwc putwc fputws fwprintf | | harmless traceless output writes-stream
    putwchar wprintf             | | harmless traceless output

err.h
    warn warnx vwarn vwarnx | | harmless traceless output

signal.h
    __sysv_signal | | keeps-functions
    psignal | | harmless traceless output
    kill killpg | | outside result=status

syslog.h
    syslog                    | - s | harmless traceless output
    vsyslog                   |     | harmless traceless output
    openlog closelog          |     | harmless traceless

string.h
    strerror strsignal | | lookup traceless
    strerror_r | - w2 - | traceless

netdb.h
    gai_strerror hstrerror | | lookup traceless
    gethostbyname | s | outside
    getaddrinfo   |   | outside outputs
    freeaddrinfo  |   | outside

time.h
    time          | o        | outside passing stores traceless
    clock         |          | outside passing traceless
    clock_gettime |          | outside passing writes=2 traceless
    clock_settime |          | outside result=status
    nanosleep     | i o      | outside result=status writes=2
    gmtime        | i        | traceless
    gmtime_r      | i o      | traceless
    localtime     | i        | outside traceless
    localtime_r   | i o      | outside outputs traceless
    mktime        | m        | outside traceless
    strftime      | w1 - s i | traceless
    ctime asctime | i
    strptime      | s s o    | outside outputs

sys/time.h
    gettimeofday | o - | outside passing writes=1 traceless
    settimeofday utimes | | outside result=status

utime.h
    utime | | outside result=status

unistd.h
    getpid getppid               | | outside passing mask=0x7fffffff traceless
    getuid geteuid getgid getegid | | outside traceless
    isatty    |         | outside mask=1 traceless
    sysconf   |         | traceless
    getpagesize getdtablesize | | lookup traceless
    sleep usleep |      | outside
    access    | s -     | outside result=status
    unlink rmdir chdir | s | outside result=status
    unlinkat fchdir chown lchown fchown fchownat chroot | | outside result=status
    truncate ftruncate truncate64 ftruncate64 | | outside result=status
    close fsync fdatasync |   | outside result=status
    setuid setgid seteuid setegid setreuid setregid setpgid daemon sethostname | | outside result=status
    setresuid setresgid | | outside result=status
    getresuid getresgid | o o o | outside result=status outputs
    setsid dup dup2 lseek lseek64 alarm | | outside result=number
    write     | - r2 -  | harmless to-descriptor output
    pwrite    | - r2 - - | output
    pread     | - w2 - -
    readlink  | s w2 -  | outside result=number most=3 outputs
    getgroups |         | outside result=number outputs
    getcwd    | w1 -
    link symlink | s s  | outside result=status
    linkat symlinkat |  | outside result=status
    execvp execv | s -  | outside result=failure wrapped-by-gcov
    execl execlp | s    | outside result=failure wrapped-by-gcov
    execve execle |     | outside result=failure wrapped-by-gcov
    execvpe fexecve |   | outside result=failure
    _exit     |         | ends=exit
    fork vfork |        | form=tr_fork outside result=number wrapped-by-gcov

threads.h
    thrd_create | | keeps-functions

pthread.h
    pthread_create | | keeps-functions
    pthread_atfork | | form=tr_at_exit in-every-program

fcntl.h
    open open64     | s - -   | outside opens result=number
    openat openat64 | - s - - | outside opens result=number
    creat creat64   | s -     | outside opens result=number
    fcntl fcntl64   |         | outside result=number

sys/ioctl.h
    ioctl | | outside result=number outputs

poll.h
    poll ppoll | | outside waits result=number writes=1

sys/select.h
    select pselect | | outside waits result=number writes=2

sys/epoll.h
    epoll_create epoll_create1 | | outside result=number
    epoll_ctl  | | outside result=status
    epoll_wait epoll_pwait | | outside waits result=number writes=2

termios.h
    tcgetattr | - o   | outside result=status writes=2
    tcsetattr | - - i | outside result=status
    cfsetispeed cfsetospeed cfsetspeed | m - | outside result=status
    tcflush tcdrain tcflow tcsendbreak | | outside result=status

net/if.h
    if_nametoindex | s | outside

sys/stat.h
    stat lstat stat64 lstat64 | s o | outside result=status outputs
    fstat fstat64             | - o | outside result=status outputs
    mkdir      | s - | outside result=status
    mkdirat chmod fchmod fchmodat mkfifo mkfifoat mknod mknodat utimensat futimens | | outside result=status

dirent.h
    opendir | s

grp.h
    setgroups initgroups | | outside result=status

sys/resource.h
    setrlimit setpriority | | outside result=status

sys/wait.h
    wait    | o     | outside waits result=number writes=1
    waitpid | - o - | outside waits result=number writes=2

sys/mount.h
    mount umount umount2 | | outside result=status

sys/random.h
    getrandom  | w2 - - | outside passing result=number most=2 outputs
    getentropy | w2 -   | outside passing result=status outputs

sys/reboot.h
    reboot | | outside result=status

sys/xattr.h
    setxattr lsetxattr fsetxattr removexattr lremovexattr fremovexattr | | outside result=status

spawn.h
    posix_spawn posix_spawnp | | outside mask=0xff writes=1

sys/socket.h
    socket                                  | | outside opens result=number
    accept accept4                          | | outside opens waits result=number outputs
    connect bind listen shutdown setsockopt | | outside result=status
    getsockopt getsockname getpeername      | | outside result=status outputs
    recv     | - w2 - - | outside waits result=number most=3 outputs
    recvfrom |          | outside waits result=number most=3 outputs
    recvmsg  |          | outside waits result=number message
    send     | - r2 - - | output outside result=number most=3
    sendto   |          | output outside result=number most=3
    sendmsg  |          | output outside result=number

arpa/inet.h
    inet_addr | s
    inet_aton | s o
    inet_pton | - s o
    inet_ntop | - i w3 -

regex.h
    regcomp | - s -
    regexec | - s - - -

fnmatch.h
    fnmatch | s s -

glob.h
    glob | s - - -

locale.h
    setlocale | - s | outside
"""

LARGE_TWINS: Mapping[str, str] = MappingProxyType(
    {f"{name}64": name for name in "stat lstat fstat open openat creat fcntl lseek truncate ftruncate fopen".split()}
)
"""Symbol -> the function of the C: where `_FILE_OFFSET_BITS` is 64, glibc's headers give `stat` the symbol `stat64`."""

_TYPES = {"p": "void *", "z": "__SIZE_TYPE__", "c": "char *", "s": "const char *"}


@dataclass(frozen=True, slots=True)
class Section:
    """Functions of one header that have their models in one file, or none."""

    header: str
    model: str
    requires: tuple[str, ...]  # files whose models this file calls
    functions: tuple[LibraryFunction, ...]

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(one.name for one in self.functions)

    @property
    def path(self) -> Path:
        """Of the file that holds the models."""
        return MODELS / f"{self.model}.c"


def _read_sections() -> Iterator[Section]:
    for text in _TABLE.strip().split("\n\n"):
        first, *lines = text.split("\n")
        head, _, requires = first.partition("<")
        header, model = (*head.split(), "")[:2]
        functions = tuple(one for line in lines for one in _read_line(line, header, model))
        yield Section(header, model, tuple(requires.split()), functions)


def _read_line(line: str, header: str, model: str) -> Iterator[LibraryFunction]:
    names, pointers, facts = (*line.split("|"), "", "")[:3]
    effects = _read_pointers(pointers) if pointers.strip() else None
    words = facts.split()
    known = frozenset(Fact(word) for word in words if "=" not in word)
    values = dict(_read_value(*word.split("=")) for word in words if "=" in word)
    for name in names.split():
        yield LibraryFunction(name, header, model, effects, known, **values)  # type: ignore[arg-type]


def _read_pointers(text: str) -> PointerEffects:
    words, _, result = text.replace(">", "=").partition("=")
    is_copy = words.split()[0] == "copy"
    effects = tuple(Effect(one[0], tuple(int(digit) for digit in one[1:])) for one in words.split()[is_copy:])
    return PointerEffects(effects, int(result) if result else None, ">" in text, is_copy)


def _read_value(field: str, text: str) -> tuple[str, object]:
    if field in ("mask", "writes", "most"):
        return field, int(text, 0)
    if field == "sizes":
        return field, tuple(map(int, text))
    return field, tuple(_TYPES[letter] for letter in text) if field == "type" else text


SECTIONS: tuple[Section, ...] = tuple(_read_sections())
FUNCTIONS: Mapping[str, LibraryFunction] = MappingProxyType(
    {one.name: one for section in SECTIONS for one in section.functions}
)


def functions_with(*facts: Fact) -> frozenset[str]:
    """The names of the functions that have one of these facts."""
    return frozenset(name for name, one in FUNCTIONS.items() if not one.facts.isdisjoint(facts))
