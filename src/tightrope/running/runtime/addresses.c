/* Addresses as numbers. Where an object lies is nobody's promise beyond its alignment: another build, another machine or
 * another run has other bits there.
 *
 * The number of a pointer into an object is its address plus a leaf of this object. The leaf is zero (`0 >> 0`, see
 * unwritten.c), but all bits above the alignment depend on it. It disappears where it makes no difference:
 *
 *     (uintptr_t)&x & 3              bits below the alignment
 *     (uintptr_t)q - (uintptr_t)p    two pointers into one object
 *     (int *)((uintptr_t)p)          the pointer again
 *
 * A branch that depends on such a leaf is decided by chance. The run goes on, but it proves nothing, and what it executes
 * until the ways of the branch meet again does not count as covered. */
#include "runtime.h"

static u32 make_place(uintptr_t object, u32 bits, u64 depends)
{
    u32 zero = make_constant(bits, SORT_BITS, 0), at = tr_control->nodes;
    u32 leaf = make_node(OP_LSHR, bits, SORT_BITS, zero, zero, 0, object);
    if (leaf && leaf == at) tr_nodes[leaf].kinds = READS_ADDRESS, placed[leaf] = depends & mask_of(bits);
    return leaf;
}

static int is_place(u32 e)
{
    node n = tr_nodes[e];
    return n.op == OP_LSHR && is_constant(n.a) && n.kinds == READS_ADDRESS;
}

int depends_on_address(u32 e) { return e && placed[e]; }

/* A sum of a leaf and something else: both. Otherwise 0. */
static u32 split_place(u32 e, u32 *rest)
{
    node n = tr_nodes[e];
    if (is_place(e)) {
        *rest = make_constant(n.bits, SORT_BITS, 0);
        return e;
    }
    if (n.op != OP_ADD) return 0;
    if (is_place(n.a)) {
        *rest = n.b;
        return n.a;
    }
    *rest = n.a;
    if (is_place(n.b)) return n.b;
    if (!(tr_nodes[n.a].kinds & READS_ADDRESS) == !(tr_nodes[n.b].kinds & READS_ADDRESS)) return 0;
    u32 sum = tr_nodes[n.a].kinds & READS_ADDRESS ? n.a : n.b, other = sum == n.a ? n.b : n.a;
    u32 inner, leaf = split_place(sum, &inner); /* (leaf + x) + y */
    if (leaf) *rest = build_binary(OP_ADD, n.bits, inner, other);
    return leaf;
}

static u32 distance_in_object(u32 a, u32 b)
{
    u32 x, y, leaf = split_place(a, &x);
    return leaf && leaf == split_place(b, &y) ? build_binary(OP_SUB, tr_nodes[a].bits, x, y) : 0;
}

/* Marks in bits of an address that its alignment leaves free: (leaf + 32) | 1 is leaf + 33. Otherwise 0. */
static u32 mark_address(u32 op, u32 e, u64 bits)
{
    u32 rest, leaf = split_place(e, &rest), width = tr_nodes[e].bits;
    u64 changed = op == OP_AND ? ~bits & mask_of(width) : bits;
    if ((op != OP_AND && op != OP_OR && op != OP_XOR) || !leaf || changed & placed[leaf]) return 0;
    return build_binary(OP_ADD, width, leaf, build_binary(op, width, rest, make_constant(width, SORT_BITS, bits)));
}

static void strip_same_object(u32 *a, u32 *b)
{
    u32 x, y, leaf = split_place(*a, &x);
    if (leaf && leaf == split_place(*b, &y)) *a = x, *b = y;
}

/* What is left for a path condition: expressions without inputs are concrete. */
u32 without_address(u32 e) { return e && tr_nodes[e].kinds & READS_INPUT ? e : 0; }

/* Chance has a say from here on. In the predicate of a label, only the predicate is lost. */
static void note_chance(void)
{
    if (is_tight()) is_abandoned = 1;
    tr_control->flags |= has_returned ? 0 : is_tight() ? FLAG_APPROXIMATE : FLAG_ADDRESS;
}

/* The part of an expression that a path condition may contain. */
static u32 give_up_address(u32 e)
{
    if (!depends_on_address(e)) return e;
    note_chance();
    return without_address(e);
}

/* The address of an object as a number, which may be symbolic. */
static u32 as_number(u32 e, uintptr_t address, uintptr_t object, u64 alignment)
{
    return build_binary(OP_ADD, 64, or_constant(e, 64, address), make_place(object, 64, ~(alignment - 1)));
}

static u32 fix_choice(u32 e, u32 place); /* origins.c */
static u32 origin_root(u32 e);
static u32 unless_pinned(u32 e);

/* ptrtoint. Which object it is must be part of the path, because the number has the leaf of that object. */
u32 tr_look_at(void *pointer, u32 e, u32 place)
{
    uintptr_t address = (uintptr_t)pointer;
    e = fix_choice(e, place);
    const object *o = e ? object_of(e, address) : find_object(address);
    if (!pointer) return e;
    if (is_given(o) || find_function(pointer)) note_bound();
    if (!o && !find_function(pointer)) return e;
    return as_number(e, address, o ? o->base : address, o ? alignment_of(o) : 1);
}

/* An address that was only carried as a number is exact again; one that was computed otherwise leads to what lies there
 * in this run. */
static u32 look_back(u32 e)
{
    u32 rest;
    if (!depends_on_address(e)) return settle(e);
    if (split_place(e, &rest) && !depends_on_address(rest)) return settle(rest);
    return give_up_address(e);
}

/* inttoptr. If inputs decide the number, a caller could make it the address of another object; no input does that here. */
u32 tr_look_back(u32 e)
{
    if (without_address(e)) note_bound();
    return look_back(e);
}

/* Bytes of a pointer that are read as something else: it was stored as a pointer, so it has no shadow. */
static int may_be_address(u64 value)
{
    return is_in_arena(value) || stack_top - value < stack_bytes || value - lowest_global < globals_span;
}

static u32 read_pointer_bytes(uintptr_t at, u32 bits)
{
    u64 word = *(const u64 *)(at & ~(uintptr_t)7);
    u32 first = at & 7;
    if (!may_be_address(word) || 8 * first + bits > 64) return 0;
    const object *o = find_object(word);
    return o ? settle(build_extract(as_number(0, word, o->base, alignment_of(o)), 8 * first, bits)) : 0;
}

/* Two pointers are compared, or subtracted from each other. The result `e`, now `value`, depends on where their objects
 * lie unless both lead to one. Two objects never have the same address, but the end of one may be the start of another. */
static object last_met; /* most pairs of pointers lead to one object, and so do the next ones */

static int are_apart(uintptr_t a, uintptr_t b)
{
    if (a - last_met.base <= last_met.size && b - last_met.base <= last_met.size) return 0;
    const object *one = find_object(a), *other = find_object(b);
    if (one && one == other) last_met = *one;
    if (one == other) return 0;
    int is_ours = is_given(one) || is_given(other) || find_function((void *)a) || find_function((void *)b);
    if (is_ours && may_be_given(one) && may_be_given(other)) note_bound();
    return one && other;
}

static int is_end_of_object(uintptr_t at)
{
    const object *o = find_object(at);
    return o && at - o->base == o->size;
}

enum { EQUALITY_OF_ADDRESSES = 1, ORDER_OF_ADDRESSES, DISTANCE_OF_ADDRESSES };

/* Which objects they are must be part of the path: if others are chosen, the same branch depends on where they lie. */
static void fix_choices(u32 ea, u32 eb, u32 place)
{
    u32 one = ea ? origin_root(unless_pinned(ea)) : 0, other = eb ? origin_root(unless_pinned(eb)) : 0;
    if (one == other) return;
    fix_choice(ea, place);
    fix_choice(eb, place);
}

u32 tr_meet(void *a, void *b, u32 ea, u32 eb, u32 e, u64 value, u32 bits, u32 how, u32 place)
{
    if (how != EQUALITY_OF_ADDRESSES && (ea || eb)) fix_choices(ea, eb, place);
    if (a == b) return e;
    if (!a || !b) { /* only the distance of something from NULL is its address */
        if (how != DISTANCE_OF_ADDRESSES || !find_object((uintptr_t)a | (uintptr_t)b)) return e;
    } else if (!are_apart((uintptr_t)a, (uintptr_t)b))
        return e;
    if (how == EQUALITY_OF_ADDRESSES && !is_end_of_object((uintptr_t)a) && !is_end_of_object((uintptr_t)b)) return e;
    u32 leaf = make_place(1, bits, ~(u64)0), known = or_constant(e, bits, value);
    return build_binary(bits == 1 ? OP_XOR : OP_ADD, bits, known, leaf);
}

/* Until the ways of a branch meet again; see tr_join. */
static uintptr_t awaited_in; /* the frame of the function */
static int has_chosen_by_address; /* some branch: then any output may depend on it */
extern const u32 tr_joins[]; /* by number of the point of side 0: the point of that block, from 1; 0: there is none */
static const u32 never = ~0u;
u32 tr_doubtful_vector; /* an address has decided a condition of the decision that is being evaluated */

static void addresses_reset(void)
{
    awaited = tr_doubtful_vector = 0;
    has_chosen_by_address = 0;
    last_met.size = 0;
}

/* A branch depends on an address. Returns what the path condition may contain of it. */
static __attribute__((noinline)) u32 branch_on_address(u32 site, u32 e, uintptr_t frame)
{
    note_chance();
    has_chosen_by_address |= !is_tight();
    if (!awaited && !is_tight()) {
        awaited = tr_joins[site] ? tr_joins[site] : never;
        awaited_in = frame;
    }
    return without_address(e);
}

/* At the start of a block where ways meet. A recursive call is deeper in the stack. */
void tr_join(u32 point)
{
    if (awaited == point + 1 && (uintptr_t)__builtin_frame_address(0) >= awaited_in) awaited = 0;
}

/* A condition is about to be counted. */
void tr_weigh(u32 e)
{
    if (!depends_on_address(e) || in_label) return;
    note_chance();
    tr_doubtful_vector = 1;
}
