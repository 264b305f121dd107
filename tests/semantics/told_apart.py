"""Pairs of versions of which a person knows whether they behave alike: name -> old, new, the verdicts that are right.

`unknown` is right where a difference is one that runs do not show, or where callers could do more than was tried."""

from __future__ import annotations

ALIKE = {
    "rewritten": ("int f(int a, int b) { return a > 3 ? a + b : b; }", "int f(int a, int b) { return a >= 4 ? b + a : b; }"),
    "renamed": ("int f(int a, int b) { return a - b; }", "int f(int b, int a) { return b - a; }"),
    "wider result": ("int f(int a) { return a; }", "long f(int a) { return a; }"),
    "a loop": (
        "int f(unsigned char n) { int s = 0; n &= 15; for (int i = 0; i < n; i++) s += i; return s; }",
        "int f(unsigned char n) { n &= 15; return n * (n - 1) / 2; }",
    ),
    "a table": (
        "static const int t[3] = {1, 2, 3}; int f(unsigned i) { return i < 3 ? t[i] : 0; }",
        "int f(unsigned i) { return i < 3 ? (int)i + 1 : 0; }",
    ),
    "a global": ("int g; int f(int c) { g += c; return c; }", "int g; int f(int c) { g = c + g; return c; }"),
    "an index": (
        "int g[8]; void f(int i, int v) { if (i >= 0 && i < 8) g[i] = v; }",
        "int g[8]; void f(int i, int v) { if ((unsigned)i < 8u) g[i] = v; }",
    ),
    "a struct": (
        "struct s { int a; char b; }; void f(struct s *p, int c) { p->a = c; p->b = 1; }",
        "struct s { int a; char b; }; void f(struct s *p, int c) { *p = (struct s){c, 1}; }",
    ),
    "bits": (
        "struct s { unsigned a : 3, b : 5; }; void f(struct s *p, unsigned v) { p->a = v; }",
        "struct s { unsigned a : 3, b : 5; }; void f(struct s *p, unsigned v) { p->a = v & 7; }",
    ),
    "texts": (
        'const char *f(int c) { return c ? "a" : "b"; }',
        'const char *f(int c) { return !c ? "b" : "a"; }',
    ),
    "a pointer": (
        "int *f(int *p, int n) { return n > 0 ? p + 1 : p; }",
        "int *f(int *q, int n) { return q + (n > 0); }",
    ),
    "an exit": (
        "#include <stdlib.h>\nint f(int c) { if (c == 7) exit(1); return c; }",
        "#include <stdlib.h>\nint f(int c) { if (7 == c) exit(1); return c; }",
    ),
    "a crash": ("int f(int *p) { return *p; }", "int f(int *q) { int r = *q; return r; }"),
    "a stub": ("int emit(int); int f(int c) { return emit(c + c); }", "int emit(int); int f(int c) { int r = emit(2 * c); return r; }"),
    "printed": (
        '#include <stdio.h>\nint f(int c) { printf("a%d", c + c); return c; }',
        '#include <stdio.h>\nint f(int c) { printf("a%d", 2 * c); return c; }',
    ),
    "a sine": (
        "#include <math.h>\ndouble f(double c, double d) { return sin(c + d); }",
        "#include <math.h>\ndouble f(double c, double d) { return sin(d + c); }",
    ),
    "a narrower parameter": ("int f(int a) { return a / 3; }", "int f(short a) { return a / 3; }"),
    "written in time": (
        "int f(unsigned char n) { char b[8]; n &= 7; for (int i = 0; i <= n; i++) b[i] = i; return b[n]; }",
        "int f(unsigned char n) { return n & 7; }",
    ),
    "padding": (
        "struct s { char a; int b; }; struct s f(int c) { struct s x; x.a = 1; x.b = c; return x; }",
        "struct s { char a; int b; }; struct s f(int c) { struct s x = {1, c}; return x; }",
    ),
    "a new member": (
        "struct s { int a; }; int f(struct s *p) { return p->a + 1; }",
        "struct s { int a, b; }; int f(struct s *p) { return 1 + p->a; }",
    ),
    "another number of a member": (
        "enum e { A, B, C }; int f(enum e x) { return x == B; }",
        "enum e { A, N, B, C }; int f(enum e x) { return x == B; }",
    ),
    "not a number": ("double f(double c) { return c * 1.0; }", "double f(double c) { return c; }"),
}  # fmt: skip

DIFFERENT = {
    "one number": ("int f(int a) { return a > 77; }", "int f(int a) { return a > 78; }"),
    "swapped": ("int f(int a, int b) { return a - b; }", "int f(int b, int a) { return a - b; }"),
    "status": (
        "#include <stdlib.h>\nint f(int c) { if (c == 7) exit(1); return c; }",
        "#include <stdlib.h>\nint f(int c) { if (c == 7) exit(2); return c; }",
    ),
    "calls": (
        "void emit(void); int f(int c) { emit(); return c; }",
        "void emit(void); int f(int c) { emit(); if (c == 77) emit(); return c; }",
    ),
    "late": (
        "int f(unsigned char n) { int s = 0; for (int i = 0; i < n; i++) s += i; return s; }",
        "int f(unsigned char n) { int s = 0; for (int i = 0; i < n; i++) s += i == 19 ? 20 : i; return s; }",
    ),
    "endless": ("int f(int a) { while (a == 5) ; return a; }", "int f(int a) { return a; }"),
    "NULL": ("int f(int *p) { return *p; }", "int f(int *p) { return p ? *p : 0; }"),
    "sign of zero": ("double f(double c) { return c + 0.0; }", "double f(double c) { return c; }"),
    "constants": (
        "static const int t[3] = {1, 2, 3}; int f(unsigned i) { return i < 3 ? t[i] : 0; }",
        "static const int t[3] = {1, 2, 4}; int f(unsigned i) { return i < 3 ? t[i] : 0; }",
    ),
    "a pointer": (
        "int *f(int *p, int n) { return n > 0 ? p + 1 : p; }",
        "int *f(int *p, int n) { return n >= 0 ? p + 1 : p; }",
    ),
    "a narrower member": (
        "struct s { int a, b; char c; }; int f(struct s *p) { return p->a > 10 && p->c == 3 ? p->b : 0; }",
        "struct s { int a; short b; char d, c; }; int f(struct s *p) { return p->a > 12 && p->c == 3 ? p->b : 0; }",
    ),
    "a member of an enum": (
        "enum e { A, B, C }; int f(enum e x) { return x == B; }",
        "enum e { A, N, B, C }; int f(enum e x) { return x == C; }",
    ),
    "hard product": (
        "int f(int a, int b) { return (a > 100 ? 100 : a) * b; }",
        "int f(int a, int b) { return (a > 99 ? 99 : a) * b; }",
    ),
}  # fmt: skip

NOT_EQUAL = {
    "never written": ("int f(int c) { int x; if (c) x = 1; return x; }", "int f(int c) { int x = 0; if (c) x = 1; return x; }"),
    "never written array": (
        "int f(int c) { int x[4]; x[c & 3] = 1; return x[1]; }",
        "int f(int c) { int x[4] = {0}; x[c & 3] = 1; return x[1]; }",
    ),
    "never written member": (
        "struct s { int a, b; }; struct s f(int c) { struct s x; x.a = c; return x; }",
        "struct s { int a, b; }; struct s f(int c) { struct s x; x.a = c; x.b = 0; return x; }",
    ),
    "never written, large": (
        "int f(int c) { int x[40]; if (c) x[2] = 1; return x[2]; }",
        "int f(int c) { int x[40]; x[2] = 0; if (c) x[2] = 1; return x[2]; }",
    ),
    "in a loop": (
        "int f(int c) { int r = 0; for (int i = 0; i < 3; i++) { int y; if (i == 1) y = c; r ^= y; } return r; }",
        "int f(int c) { int r = 0; for (int i = 0; i < 3; i++) { int y = 0; if (i == 1) y = c; r ^= y; } return r; }",
    ),
    "printed": (
        '#include <stdio.h>\nint f(int c) { printf("a%d", c); return c; }',
        '#include <stdio.h>\nint f(int c) { printf("b%d", c); return c; }',
    ),
    "an argument": ("void emit(int); int f(int c) { emit(c); return c; }", "void emit(int); int f(int c) { emit(c + 1); return c; }"),
    "the order": (
        "void a(void); void b(void); int f(int c) { a(); b(); return c; }",
        "void a(void); void b(void); int f(int c) { b(); a(); return c; }",
    ),
    "a new call": ("void a(void); int f(int c) { return c; }", "void a(void); int f(int c) { if (c == 77) a(); return c; }"),
    "a text": (
        'const char *f(int c) { return c ? "a" : "b"; }',
        'const char *f(int c) { return c ? "a" : "c"; }',
    ),
    "kept": ("int f(int c) { static int n; return n++ + c; }", "int f(int c) { static int n; return n-- + c; }"),
    "a buffer": (
        "char *f(int c) { static char b[4]; b[0] = c; return b; }",
        "char *f(int c) { static char b[4]; b[0] = c + 1; return b; }",
    ),
    "volatile": (
        "volatile int r; int f(int c) { r = c; r = c; return c; }",
        "volatile int r; int f(int c) { r = c; return c; }",
    ),
    "volatile copies": (
        "struct s { int c[40]; }; volatile struct s r; int f(int c) { struct s t, u; t = r; u = r; return t.c[c & 7] - u.c[c & 7]; }",
        "struct s { int c[40]; }; volatile struct s r; int f(int c) { return c & 0; }",
    ),
    "state of the library": (
        "#include <string.h>\nint f(void) { return strtok(NULL, \",\") ? 1 : 0; }",
        "#include <string.h>\nint f(void) { return strtok(NULL, \",\") ? 2 : 0; }",
    ),
    "far away": (
        "int t[900]; void f(unsigned i) { if (i < 900) t[i] = 1; }",
        "int t[900]; void f(unsigned i) { if (i < 900) t[i] = i == 800 ? 2 : 1; }",
    ),
    "shared": (
        "int f(int *a, short *b) { *a = 1; *b = 2; return *a; }",
        "int f(int *a, short *b) { *a = 1; *b = 2; return 1; }",
    ),
    "freed": (
        "#include <stdlib.h>\nvoid f(int *p) { *p = 1; free(p); }",
        "#include <stdlib.h>\nvoid f(int *p) { *p = 1; }",
    ),
    "errno": (
        "#include <errno.h>\nint f(int c) { if (c < 0) { errno = EINVAL; return -1; } return c; }",
        "#include <errno.h>\nint f(int c) { if (c < 0) { errno = ERANGE; return -1; } return c; }",
    ),
    "locked": (
        "#include <pthread.h>\npthread_mutex_t m; int f(int c) { pthread_mutex_lock(&m); pthread_mutex_unlock(&m); return c; }",
        "#include <pthread.h>\npthread_mutex_t m; int f(int c) { return c; }",
    ),
    "initialised": ("static int limit = 3; int f(int a) { return a > limit; }", "static int limit = 4; int f(int a) { return a > limit; }"),
    "no result": ("void f(int a) { (void)a; }", "int f(int a) { return a; }"),
    "assembly": ('int f(int a) { __asm__ volatile("nop"); return a; }', "int f(int a) { return a; }"),
    "past the end": (
        "int *f(int *p, int n) { return n > 0 ? p + 1000 : p; }",
        "int *f(int *q, int n) { return n > 0 ? q + 1001 : q; }",
    ),
    "called back": (
        "int f(int (*g)(int), int a) { return g(a); }",
        "int f(int (*g)(int), int a) { return g(a + 1); }",
    ),
    "far in the result": (
        "struct s { int a, t[90]; }; struct s f(int c) { struct s x = {0}; x.t[80] = c; return x; }",
        "struct s { int a, t[90]; }; struct s f(int c) { struct s x = {0}; x.t[80] = c + 1; return x; }",
    ),
    "behind a pointer": (
        "struct m { int a, b; }; void emit(const struct m *); void f(int a) { struct m m = {1, a}; emit(&m); }",
        "struct m { int a, b; }; void emit(const struct m *); void f(int a) { struct m m = {2, a}; emit(&m); }",
    ),
    "a function": (
        "int g(int x) { return x + 1; } typedef int (*fp)(int); fp f(int c) { return c ? g : 0; }",
        "int g(int x) { return x + 2; } typedef int (*fp)(int); fp f(int c) { return c ? g : 0; }",
    ),
    "a jump": (
        "#include <setjmp.h>\njmp_buf j; int f(int c) { if (c) longjmp(j, 1); return 0; }",
        "#include <setjmp.h>\njmp_buf j; int f(int c) { if (c) longjmp(j, 2); return 0; }",
    ),
    "constants behind a pointer": (
        "const int k[2] = {1, 2}; const int *f(int c) { return &k[c & 1]; }",
        "const int k[2] = {1, 3}; const int *f(int c) { return &k[c & 1]; }",
    ),
    "in the meantime": (
        "int g; void tick(void); void f(int c) { g = c; tick(); g = 1; }",
        "int g; void tick(void); void f(int c) { tick(); g = c; g = 1; }",
    ),
    "drawn": (
        "int __VERIFIER_nondet_int(void); int f(int a) { return __VERIFIER_nondet_int() > a; }",
        "int __VERIFIER_nondet_int(void); int f(int a) { return a < __VERIFIER_nondet_int(); }",
    ),
    "moved away": (
        "int g(int x) { return x + 1; } int f(int a) { return g(a) - g(a); }",
        "int g(int x); int f(int a) { return g(a) - g(a); }",
    ),
    "fresh memory": (
        "#include <stdlib.h>\nint f(void) { int *p = malloc(4); if (!p) return 0; int r = *p; free(p); return r; }",
        "#include <stdlib.h>\nint f(void) { int *p = calloc(4, 1); if (!p) return 0; int r = *p; free(p); return r; }",
    ),
    "copied": (
        "#include <string.h>\nstruct s { char a; int b; }; void f(struct s *p) { struct s t; t.a = 1; memcpy(p, &t, sizeof t); }",
        "#include <string.h>\nstruct s { char a; int b; }; void f(struct s *p) { struct s t = {0}; t.a = 1; memcpy(p, &t, sizeof t); }",
    ),
}  # fmt: skip
