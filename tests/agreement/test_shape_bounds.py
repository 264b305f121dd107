"""Infeasible against brute force, for inputs that have a shape: strings, lists, arrays and pointers that may be NULL or
share an object. Callers are simulated with longer strings, longer lists and more sharing than the shape has: what one of
them reaches must not be called infeasible. Each kind of shape has one function; TIGHTROPE_FULL=1: two."""

from __future__ import annotations

import os

import pytest
from callers import Family, Writer, wrong_verdicts

STRING = Family(
    "const char *s",
    "int n = 0, c = 0, k; if (!s) return -1; for (; s[n]; n++) c += s[n] == 'a';",
    ("n", "c", "n - c", "s[0]", "s[n ? n - 1 : 0]", "k"),
    ("k = n", "k = c"),
    """char s[16]; CALL(0);
    for (int length = 0; length <= 11; length++)
        for (int bits = 0; bits < 1 << length; bits++) {
            for (int at = 0; at < length; at++) s[at] = bits >> at & 1 ? 'a' : 'b';
            s[length] = 0; CALL(s);
        }""",
)
COPY = Family(
    "const char *s",
    "char t[32] = {0}; int n = 0, k = 0; if (!s || strlen(s) > 20) return -1; strcpy(t, s); n = (int)strlen(t);",
    ("n", "t[1]", "t[9]", "t[3] - t[2]", "k"),
    ("k = t[8]", "t[4] = 0, n = (int)strlen(t)", "t[8] = 'c'"),
    STRING.callers,
)
LIST = Family(
    "struct node *l",
    "int n = 0, sum = 0, k; for (struct node *p = l; p && n < 9; p = p->next) n++, sum += p->value;",
    ("n", "sum", "sum - n", "(l ? l->value : 9)", "(l && l->next ? l->next->value : 8)", "(l && l->next == l)", "k"),
    ("k = n", "if (l) l->value = 2", "if (l && l->next) l->next->value = 3"),
    """struct node a[6]; CALL(0);
    for (int length = 1; length <= 6; length++)
        for (int bits = 0; bits < 1 << 2 * length; bits++)
            for (int loops = 0; loops < 2; loops++) {
                for (int at = 0; at < length; at++)
                    a[at].value = bits >> 2 * at & 3, a[at].next = at + 1 < length ? a + at + 1 : loops ? a : 0;
                CALL(a);
            }""",
)
ARRAY = Family(
    "const int *a, int n",
    "int c = 0, k; if (!a || n < 0) return -1; for (int i = 0; i < n; i++) c += a[i] > 2;",
    ("n", "c", "n - c", "(n ? a[0] : 5)", "(n > 9 ? a[9] : 0)", "k"),
    ("k = n", "k = c"),
    """int a[12] = {0}; CALL(0, 1);
    for (int length = 0; length <= 12; length++)
        for (int bits = 0; bits < 1 << length; bits++) {
            for (int at = 0; at < length; at++) a[at] = bits >> at & 1 ? 3 + at % 2 : at % 3;
            CALL(a, length);
        }""",
)
SHARED = Family(
    "int *p, int *q, struct pair *r",
    "int k; if (!p || !q || !r) return -1;",
    ("*p", "*q", "r->one", "r->two", "*p - *q", "(p == q)", "(q == &r->two)", "k"),
    ("*p = 1", "*q = 2", "*q += 1", "r->two = 4", "r->one = *p", "k = *q"),
    """struct pair x, y; int *places[] = {&x.one, &x.two, &y.one, 0}; struct pair *pairs[] = {&x, &y, 0};
    for (int bits = 0; bits < 1 << 8; bits++)
        for (int at = 0; at < 4 * 4 * 3; at++) {
            x.one = bits & 3, x.two = bits >> 2 & 3, y.one = (bits >> 4 & 3) + 1, y.two = bits >> 6 & 3;
            CALL(places[at % 4], places[at / 4 % 4], pairs[at / 16]);
        }""",
)
NESTED = Family(
    "struct outer *o",
    "int k = 0, d = 0; if (!o) return -1; d = 1 + !!o->in + (o->in && o->in->in);",
    ("d", "o->number", "(o->in ? o->in->number : 3)", "(d > 2 ? o->in->in->in != 0 : 2)", "(o->text ? o->text[0] : 1)",
     "(o->in == o)", "k"),
    ("k = d", "o->number = 2", "if (o->in) o->in->number = 1", "o->in = 0, d = 1"),
    """struct outer a[5]; char t[2];
    for (int length = 1; length <= 5; length++)
        for (int bits = 0; bits < 1 << 7; bits++) {
            for (int at = 0; at < length; at++) {
                a[at].number = bits >> at % 3 & 3;
                a[at].text = bits & 16 ? t : 0, t[0] = bits & 32 ? 'x' : 2, t[1] = 0;
                a[at].in = at + 1 < length ? a + at + 1 : bits & 64 ? a : 0;
            }
            CALL(a);
        }""",
)  # fmt: skip
RANGE = Family(
    "const char *begin, const char *end",
    "int k = 0, n = 0; if (!begin || !end) return -1; for (const char *p = begin; p < end; p++) n += *p == 'a';",
    ("n", "(int)(end - begin)", "(begin < end ? begin[0] : 7)", "(begin == end)", "(begin > end)", "k"),
    ("k = n", "k = (int)(end - begin)"),
    """char s[13] = "abaabbabaaba"; CALL(0, 0);
    for (int from = 0; from <= 12; from++) for (int to = 0; to <= 12; to++) CALL(s + from, s + to);
    memset(s, 'a', 12); for (int to = 0; to <= 12; to++) CALL(s, s + to);""",
)
OVERLAP = Family(
    "char *t, const char *s",
    "int k = 0; if (!t || !s || !t[0] || !s[0]) return -1;",
    ("t[0]", "s[0]", "s[1]", "t[1]", "s[1] - t[0]", "(t == s)", "(t + 1 == s)", "k"),
    ("t[1] = 'x'", "t[0] = s[1]", "t[1] = 0", "k = s[0]", "k = t[1]"),
    """char u[8], v[8];
    for (int bits = 0; bits < 1 << 10; bits++)
        for (int at = 0; at < 9; at++) {
            for (int i = 0; i < 4; i++) u[i] = "abx\1"[bits >> 2 * i & 3], v[i] = "xb\1a"[(bits >> 2 * i & 3) ^ bits >> 8];
            u[4] = v[4] = 0;
            CALL(u + at % 3, at > 5 ? v + at % 2 : u + at / 3);
        }""",
)
GLOBALS = Family(
    "int *p",
    "int k = 0, n = 0; if (!p) return -1; for (struct node *q = head; q && n < 9; q = q->next) n++;",
    ("n", "*p", "level", "(head ? head->value : 4)", "*p - level", "(p == &level)", "(head && p == &head->value)", "k"),
    ("*p = 1", "level = 2", "k = n", "if (head) head->value = 3", "k = level"),
    """struct node a[6]; int other;
    for (int length = 0; length <= 6; length++)
        for (int bits = 0; bits < 1 << 8; bits++)
            for (int at = 0; at < 3; at++) {
                for (int i = 0; i < length; i++) a[i].value = bits >> i & 3, a[i].next = i + 1 < length ? a + i + 1 : 0;
                head = length ? a : 0, level = bits >> 4 & 3, other = bits >> 6;
                CALL(at == 0 ? &other : at == 1 ? &level : &a[0].value);
            }""",
)
BYTES = Family(
    "void *v, unsigned char *w",
    "struct pair *p = v; int k = 0; if (!v || !w) return -1;",
    ("p->one", "p->two", "w[0]", "w[1]", "p->one - w[0]", "((unsigned char *)v)[4]", "k"),
    ("p->two = 3", "w[0] = 2", "k = p->one", "memcpy(&p->one, w, 1)", "w[1] = 0"),
    """struct pair x; unsigned char other[9];
    for (int bits = 0; bits < 1 << 10; bits++)
        for (int at = 0; at < 3; at++) {
            x.one = bits & 3, x.two = bits >> 2 & 3;
            for (int i = 0; i < 9; i++) other[i] = bits >> (4 + i % 5) & 3;
            CALL(&x, at ? (unsigned char *)&x + 4 * (at - 1) : other);
        }""",
)
HEADER = Family(
    "unsigned char *t",
    "int k = 0, n = 0; if (!t) return -1; struct header *h = (struct header *)t - 1; "
    "if (h->size < 0 || h->size > 10) return -2; for (int i = 0; i < h->size; i++) n += t[i] == 1;",
    ("n", "h->size", "h->kind", "h->size - n", "(h->size > 1 ? t[1] : 8)", "(h->size > 9 ? t[9] : 8)", "k"),
    ("k = n", "h->kind = 2", "h->size = n", "if (h->size) t[0] = 3", "k = h->kind"),
    """struct { struct header h; unsigned char data[12]; } x;
    CALL(0);
    for (int length = 0; length <= 10; length++)
        for (int bits = 0; bits < 1 << length; bits++)
            for (int kind = 0; kind < 3; kind++) {
                for (int at = 0; at < 12; at++) x.data[at] = bits >> at & 1 ? 1 : at % 3 + 8;
                x.h.size = length, x.h.kind = kind; CALL(x.data);
            }""",
)
PREFIXED = Family(
    "char *t",
    "int k = 0, n = 0; if (!t) return -1; struct prefixed *h = (struct prefixed *)(t - sizeof *h); "
    "if (h->size > 10) return -2; for (int i = 0; i < h->size; i++) n += t[i] == 'a';",
    ("n", "h->size", "t[-1]", "h->size - n", "(h->size > 1 ? t[1] : 8)", "(h->size > 9 ? t[9] : 8)", "k"),
    ("k = n", "t[-1] = 2", "h->size = (unsigned char)n", "if (h->size) t[0] = 3", "k = h->kind"),
    """struct { unsigned char size, kind; char data[12]; } x;
    CALL(0);
    for (int length = 0; length <= 10; length++)
        for (int bits = 0; bits < 1 << length; bits++)
            for (int kind = 0; kind < 3; kind++) {
                for (int at = 0; at < 12; at++) x.data[at] = bits >> at & 1 ? 'a' : at % 3 + 8;
                x.size = (unsigned char)length, x.kind = (unsigned char)kind; CALL(x.data);
            }""",
)
FAMILIES = (STRING, LIST, SHARED, RANGE, GLOBALS, COPY, ARRAY, NESTED, OVERLAP, BYTES, HEADER, PREFIXED)
HEAD = """#include <string.h>
struct node { int value; struct node *next; };
struct pair { int one, two; };
struct outer { int number; struct outer *in; char *text; };
struct header { int size, kind; };
struct prefixed { unsigned char size, kind; char text[]; };
static struct node *head;
static int level;
"""


@pytest.mark.parametrize("seed", range(4 if os.environ.get("TIGHTROPE_FULL") == "1" else 2))
def test_what_some_caller_reaches_is_not_infeasible(seed, tmp_path):
    half = FAMILIES[:5] if seed % 2 else FAMILIES[5:]
    writers = [Writer(family, 100 * seed + number) for number, family in enumerate(half)]
    assert not wrong_verdicts(HEAD, writers, tmp_path)
