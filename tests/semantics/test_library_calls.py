"""Models of the C library inside programs: what the woven model computes is what the library does, and the recorded
expressions say so. `test_libc_models.py` compares the models alone, on many more values."""

from __future__ import annotations

from pathlib import Path

import pytest
from differential import assert_agrees
from directed import examine_text

PRINTED = """
#include <stdio.h>
#include <string.h>
static unsigned long hash(const char *text) { unsigned long h = 5; while (*text) h = h * 33 + (unsigned char)*text++; return h; }
unsigned long target(int a, short b, unsigned char c, long l)
{
    unsigned long result = 1;
    char text[64];
    KEEP(snprintf(text, sizeof text, "%d|%5d|%-6hd|%x", a, b, b, c));
    KEEP(hash(text));
    KEEP(snprintf(text, 6, "%#lo,%c", l, c));
    KEEP(hash(text));
    KEEP(sprintf(text, "%s%+d%%%.3s", a > 5 ? "more" : "less", b, "abcdef"));
    KEEP(hash(text));
    if (!strcmp(text, "less+7%abc")) result++;
    if (text[5] == '9') result += 2;
    return result;
}
"""
PRINTED_REALS = """
#include <stdio.h>
unsigned long target(double d, float f, int a)
{
    unsigned long result = 1;
    char text[400];
    KEEP(snprintf(text, sizeof text, "%.3e,%d,%g", d, a, f));
    KEEP(text[0]); KEEP(text[3]);
    if (text[1] == '5') result++;
    if (a == 77) result += 2;
    return result;
}
"""
OWN_PRINTER = """
#include <stdarg.h>
#include <stdio.h>
static int message(char *to, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int length = vsnprintf(to, 30, format, list);
    va_end(list);
    return length;
}
unsigned long target(int a, int b, unsigned char c)
{
    unsigned long result = 1;
    char text[30];
    KEEP(message(text, "%d-%d-%d-%d-%u-%c%c", 1, 2, a & 15, 4, b & 255, c, 'x'));
    KEEP(text[4]); KEEP(text[8]);
    if (text[4] == '1' && text[5] == '3') result++;
    return result;
}
"""
SCANNED = """
#include <stdio.h>
unsigned long target(unsigned char a, unsigned char b, unsigned char c, unsigned char d)
{
    unsigned long result = 1;
    char text[5] = { a, b, c, d, 0 }, word[8] = "";
    int x = -7, y = -8, count;
    unsigned u = 9;
    KEEP(sscanf(text, "%d,%d", &x, &y)); KEEP(x); KEEP(y);
    KEEP(sscanf(text, "%x%n", &u, &count)); KEEP(u);
    KEEP(sscanf(text, "%2[a-c]%s", word, word + 4)); KEEP(word[0]); KEEP(word[5]);
    if (x == 12) result++;
    return result;
}
"""
REALS_READ = """
#include <stdlib.h>
unsigned long target(unsigned char a, unsigned char b, unsigned char c)
{
    unsigned long result = 1;
    char text[6] = { '1' + (a & 7), b & 1 ? '.' : b & 2 ? 'e' : '3', '0' + (c & 7), b, 0 }, *end;
    double value = strtod(text, &end);
    KEEP(value); KEEP(end - text); KEEP(strtof(text, &end)); KEEP(atof(text + 2));
    if (value == 4.5) result++;
    return result;
}
"""
EXPONENTS = """
#include <math.h>
unsigned long target(double x, double y, float f, int n)
{
    unsigned long result = 1;
    int e = 7;
    double whole;
    KEEP(ldexp(x, 3)); KEEP(ldexp(x, n & 31)); KEEP(scalbn(f, -2)); KEEP(ldexpf(f, n & 7));
    KEEP(frexp(x, &e)); KEEP(e); KEEP(frexpf(f, &e)); KEEP(e); KEEP(ilogb(x)); KEEP(logb(f));
    KEEP(modf(x, &whole)); KEEP(whole); KEEP(modf(x + y, &whole));
    KEEP(copysign(x, y)); KEEP(copysignf(f, -1.0f)); KEEP(copysign(2.0, x)); KEEP(copysign(x, x * y));
    KEEP(nextafter(x, y)); KEEP(nextafterf(f, 0)); KEEP(!!signbit(-x)); KEEP(!!signbit(fabs(x)));
    if (e == 5) result++;
    if (whole == 3) result += 2;
    return result;
}
"""
ERRORS = """
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
unsigned long target(unsigned char a, unsigned char b, int n)
{
    unsigned long result = 1;
    char *end, huge[] = "1e999", number[] = "99999999999999999999";
    errno = 0;
    huge[2] = a & 1 ? '9' : '0';
    KEEP(strtod(huge, &end)); KEEP(errno); errno = 0;
    number[3] = b & 1 ? 'x' : '9';
    KEEP(strtol(number, &end, 10)); KEEP(errno); KEEP(end - number); errno = 0;
    KEEP(strtoul(number, NULL, n & 63)); KEEP(errno); errno = 0;
    KEEP(ldexp(1.5, n)); KEEP(errno); errno = 0;
    KEEP(fmod(n, a & 3)); KEEP(errno); errno = 0;
    KEEP(sqrt(n)); KEEP(errno); errno = 0;
    if (strtol(number, NULL, 10) < 0 && errno == ERANGE) result++;
    if (errno == ERANGE) result += 2;
    return result;
}
"""
TEXTS = """
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <inttypes.h>
#include <libgen.h>
#include <string.h>
#include <wchar.h>
#include <wctype.h>
unsigned long target(unsigned char a, unsigned char b, unsigned char c, int n)
{
    unsigned long result = 1;
    char text[4] = { a, b, c, 0 }, path[6] = { a & 1 ? '/' : 'p', b & 1 ? '/' : 'q', '/', c & 1 ? '/' : 'r', 0 }, other[6];
    wchar_t wide[3] = { a, b, 0 };
    KEEP(htonl(n)); KEEP(ntohs(n)); KEEP(imaxabs(n)); KEEP(strtoimax(text, 0, 0)); KEEP(strtoumax(text, 0, 16));
    KEEP(!!strcasestr("someTEXT", text)); KEEP(!!memmem("abcabd", 6, text, 2));
    strcpy(other, path);
    KEEP(dirname(path)[0]); KEEP(basename(other)[0]);
    KEEP(wcslen(wide)); KEEP(!!iswalpha(a)); KEEP(towupper(b)); KEEP(wcscmp(wide, L"ab") < 0);
    KEEP(wcscmp(wide, L"ab") > 0); KEEP(!!wcschr(wide, L'x'));
    return result;
}
"""
BLOCKS = """
#define _GNU_SOURCE
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
unsigned long target(unsigned char a, unsigned char b)
{
    unsigned long result = 1;
    char *block = aligned_alloc(64, 64), *text = NULL;
    void *other = NULL;
    int *cells;
    KEEP((unsigned long)block % 64);
    KEEP(posix_memalign(&other, 128, 10)); KEEP((unsigned long)other % 128); KEEP(posix_memalign(&other, 24, 10));
    memset(block, a, 64);
    cells = reallocarray(NULL, 4, sizeof *cells);
    cells[3] = b;
    cells = reallocarray(cells, 8, sizeof *cells);
    KEEP(cells[3]); KEEP(reallocarray(cells, -1ul, 16) == NULL); KEEP(calloc(-1ul / 2, 4) == NULL);
    KEEP(asprintf(&text, "%d.", a)); KEEP(text[0]);
    if (block[5] == 9 && text[1] == '.') result++;
    KEEP(malloc(0) != NULL); KEEP(realloc(text, 0) == NULL);
    char *copy = strndup("abcdef", b & 7);
    KEEP(strlen(copy));
    free(copy); free(NULL); free(block); free(other); free(cells);
    return result;
}
"""


@pytest.mark.parametrize("text", [PRINTED, OWN_PRINTER, SCANNED, REALS_READ, ERRORS, TEXTS, BLOCKS],
                         ids="printed own_printer scanned reals_read errors texts blocks".split())  # fmt: skip
def test_models_in_programs(text: str, tmp_path: Path) -> None:
    assert_agrees(examine_text(text, tmp_path, count=50, flips=60))


@pytest.mark.parametrize("text", [PRINTED_REALS, EXPONENTS], ids=["printed_reals", "exponents"])
def test_models_of_reals_in_programs(text: str, tmp_path: Path) -> None:
    """The bits of a NaN that was computed are not known: such runs are approximate."""
    tally = examine_text(text, tmp_path, count=50, flips=60)
    assert_agrees(tally, is_exact=False)
    assert tally.approximate < tally.runs / 4
