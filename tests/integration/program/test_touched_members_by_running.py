"""Bytes of members that no code can look at make no difference: random functions are run to see it.

Each function is a few statements that look at a structure in some way: by member, by byte, as another structure, in a
copy, through memory, in a callee. The bytes that `touched_members` gives free are then changed, and the result must
stay. (Walking on beyond the end of an array in a structure is undefined in C, and not among the statements.)
"""

from __future__ import annotations

import ctypes
import random

import llvmlite.binding as llvm
import pytest

from tightrope.program.declarations.c_types import CArray, CRecord
from tightrope.program.declarations.debug_info import read_debug_info
from tightrope.program.declarations.declare import size_of
from tightrope.program.declarations.declared_records import c_record_name
from tightrope.program.ir.read_ir import normalise, read_program
from tightrope.program.pointers.touched_members import touched_members

HEAD = """
#include <string.h>
#include <stdlib.h>
#include <stddef.h>
typedef unsigned long ul; typedef unsigned char uc;
struct T { int x; short y; char z[3]; int w; };
struct B { int k; int l; };
typedef union { struct B b; struct { short lo, hi; long q; } n; uc raw[16]; } UU;
struct V { short f, g; struct B b; };
struct S { int a; char c; long d; struct T t; struct T ts[2]; UU u; unsigned bf1 : 5, bf2 : 11, bf3 : 9; struct B nb;
           union { int i; struct V v; } an; short e[5]; double m; int last; };
struct D { struct S s; int extra; };
struct W { int a; char c; long d; int w0, w1, w2, w3, w4; long rest[20]; };
struct box { int n; void *p; };
static struct S gs; static struct S *gp; static void *gv; static struct box gb;
static ul hashb(const void *v, int n) { const uc *c = v; ul h = 0; for (int i = 0; i < n; i++) h = h * 31 + c[i]; return h; }
static ul hashe(const uc *c, const uc *e) { ul h = 0; while (c < e) h = h * 31 + *c++; return h; }
static ul rt(struct T *q) { return q->y + 3ul * q->w; }
static ul rv(struct T q) { return q.x * 7ul + q.z[1]; }
static ul rb(struct B q) { return q.l; }
static ul rs(struct S q) { return q.d + q.nb.l; }
static ul rd(void *q) { return ((struct W *)q)->w1; }
static struct S ret(struct S *q) { struct S r = *q; r.a = 1; return r; }
static struct box mkbox(void *p) { struct box b = {1, p}; return b; }
static void cp(void *d, const void *s, size_t n) { memcpy(d, s, n); }
static void cps(struct S *d, const struct S *s) { *d = *s; }
static void *at(void *p, int n) { return (char *)p + n; }
static void put(void **pp, void *p) { *pp = p; }
static ul each(struct T *p, int n) { ul h = 0; for (int i = 0; i < n; i++) h += p[i].w; return h; }
static ul (*fp)(struct T *) = rt;
"""
SIZE = 136
MEMBERS = (
    "a c d t.x t.y t.z[1] t.w ts[1].y u.b.k u.b.l u.n.hi u.n.q u.raw[9] bf1 bf2 bf3 nb.k nb.l an.i an.v.g an.v.b.l e[2] m"
    " last".split()
)
PLACES = "c d t t.y t.w u u.b.l nb nb.l an m last".split()
STATEMENTS = """
h += p->M;
h += ((uc *)p)[K];
{ struct S c = *p; h += c.M; }
{ struct S c; memcpy(&c, p, sizeof c); h += c.M; }
{ uc b[sizeof *p]; memcpy(b, p, sizeof b); h += b[K]; }
{ uc b[sizeof *p]; memcpy(b, p, sizeof b); h += b[n]; }
{ uc b[64]; memset(b, 0, 64); memcpy(b, &p->P, J); h += b[J]; }
{ uc b[64]; memset(b, 0, 64); memcpy(b + 5, &p->P, J); h += b[J]; }
h += hashb(p, K);
h += hashb(&p->P, 8);
h += hashe((uc *)&p->P, (uc *)p + sizeof *p);
h += rt(&p->t);
h += rv(p->t) + rb(p->nb);
h += rs(*p);
h += rd(p);
h += fp(&p->t);
h += each(p->ts, 2);
h += ret(p).M;
h += ((uc *)mkbox(p).p)[K];
{ struct box b = mkbox(&p->t); h += ((struct T *)b.p)->w; }
{ uc b[sizeof *p]; cp(b, p, sizeof b); h += b[K]; }
{ struct S c; cps(&c, p); h += c.M; }
gs = *p; h += gs.M;
gp = p; h += gp->M;
gv = p; h += ((uc *)gv)[K];
gb.p = p; h += ((struct W *)gb.p)->w3;
h += !memcmp(p, &gs, K);
h += !memcmp(&p->P, &gs, 6);
h += !!memchr(p, 7, n);
{ union { struct S s; uc raw[sizeof *p]; } x; x.s = *p; h += x.raw[K]; }
h += *(uc *)((char *)p + offsetof(struct S, P));
h += *(uc *)at(p, K);
{ struct S *q = n ? p : &gs; h += q->M; }
p->last = 5;
{ void *v; put(&v, p); h += ((uc *)v)[K]; }
{ struct D d; d.s = *p; h += d.s.M; }
{ long *l = (long *)p; h += l[K / 8]; }
for (int i = 0; i < 5; i++) h += p->e[i];
{ ul x = (ul)p; h += *(uc *)(x + K); }
{ uc *c = malloc(sizeof *p); memcpy(c, p, sizeof *p); h += c[K]; free(c); }
{ struct S a[2]; memset(a, 0, sizeof a); a[1] = *p; h += ((uc *)a)[sizeof *p + K]; }
{ struct T *q = &p->ts[0]; q++; h += q->w; }
{ struct T x; x = p->t; h += ((uc *)&x)[J % 16]; }
{ UU x = p->u; h += x.n.hi; }
{ struct V v = p->an.v; h += v.b.l; }
{ struct S *q; memcpy(&q, &p, sizeof q); h += ((uc *)q)[K]; }
{ struct box bx[2] = {{1, p}, {2, p}}; h += ((uc *)bx[n & 1].p)[K]; }
""".strip().splitlines()


def random_statement(chance: random.Random) -> str:
    text = (
        chance.choice(STATEMENTS)
        .replace(".M", "." + chance.choice(MEMBERS))
        .replace(">M", ">" + chance.choice(MEMBERS))
    )
    place, byte, few = chance.choice(PLACES), str(chance.randrange(SIZE)), str(chance.randrange(1, 24))
    for old, new in (("&p->P", f"&p->{place}"), (", P)", f", {place})"), ("K", byte), ("J", few)):
        text = text.replace(old, new)
    return text


def random_functions(chance: random.Random, count: int) -> list[str]:
    bodies = (" ".join(random_statement(chance) for _ in range(chance.choice((1, 1, 2, 3)))) for _ in range(count))
    return [f"ul f{number}(struct S *p, int n) {{ ul h = 0; {body} return h; }}" for number, body in enumerate(bodies)]


def free_bytes(ctypes_, touched, number, base=0):
    """Where an input may be anything: start and size, also inside records."""
    record, name = ctypes_.strip(number), c_record_name(ctypes_, number)
    for member in record.members:
        at = 0 if record.kind == "union" else member.bit_offset // 8
        kind, inner, count = ctypes_.strip(member.type), member.type, 1
        while isinstance(kind, CArray):
            count, inner, kind = count * kind.count, kind.element, ctypes_.strip(kind.element)
        if member.bit_size is not None:
            continue
        if record.kind == "struct" and name and not touched.may_touch(name, at):
            yield base + at, size_of(ctypes_, member.type)
        elif isinstance(kind, CRecord):
            for index in range(count):
                yield from free_bytes(ctypes_, touched, inner, base + at + index * size_of(ctypes_, inner))


@pytest.mark.parametrize("seed", [1, 2])
def test_free_bytes_make_no_difference(compile_c, seed):
    chance = random.Random(seed)
    functions = random_functions(chance, 120)
    bitcode = compile_c(HEAD + "\n".join(functions))
    raw, normal = normalise(bitcode)
    program, types = read_program(normal, raw), read_debug_info(raw)
    record = next(number for number in types.types if c_record_name(types, number) == "S")
    assert size_of(types, record) == SIZE
    library, _compiler = load(raw)
    free = 0
    for number, text in enumerate(functions):
        ranges = sorted(set(free_bytes(types, touched_members(program, f"f{number}", types), record)))
        call = ctypes.CFUNCTYPE(ctypes.c_ulong, ctypes.c_void_p, ctypes.c_int)(library[f"f{number}"])
        free += sum(size for _, size in ranges)
        assert not differences(call, chance, ranges), f"{text}\n{ranges}"
    assert free > 0.3 * SIZE * len(functions), "it would be sound, but useless, to call everything touched"


def load(text):
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    compiler = llvm.create_lljit_compiler(llvm.Target.from_default_triple().create_target_machine(jit=True))
    builder = llvm.JITLibraryBuilder().add_ir(text).add_current_process()
    for number in range(120):
        builder.export_symbol(f"f{number}")
    return builder.link(compiler, "unit"), compiler


def differences(call, chance, ranges) -> list[tuple[int, int]]:
    found = []
    for n in (0, 1, 63):
        before = chance.randbytes(SIZE)
        for start, size in ranges:
            after = before[:start] + chance.randbytes(size) + before[start + size :]
            if run(call, before, n) != run(call, after, n):
                found.append((start, size))
    return found


def run(call, content: bytes, n: int) -> int:
    """Twice as much room as the structure takes, so that nothing outside is hit."""
    memory = ctypes.create_string_buffer(content, 2 * SIZE)
    return call(ctypes.addressof(memory), n)
