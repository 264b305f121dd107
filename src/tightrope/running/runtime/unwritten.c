/* Values that nothing has written: locals, heap blocks, padding, what a function without `return` returns.
 *
 * Such a value is a leaf of expressions. Copying it and computing with it is no error; the run ends where it decides
 * something: a branch, an address, a divisor, what code that is not woven is given. This is MemorySanitizer's rule, and
 * as there each bit counts for itself:
 *
 *     s.flag = 1;                            (leaf & 0xFE) | 1      all bits but the lowest depend on the leaf
 *     if (s.flag)                            ... & 1                no bit depends on it
 *
 * The leaf is written as `0 >> 0`, which no builder makes: memory holds zeros there, so Python and the solvers read a
 * zero, which is right for all bits that do not depend on the leaf. Other bits never get into a path condition. */
#include "runtime.h"

/* Written by the weaver: the leaves of its locals, and where to put their numbers. */
typedef struct {
    u32 bits, sort, what; /* `what`: a place, which names the local */
} leaf_entry;
extern const leaf_entry tr_leaf_entries[];
extern u32 tr_leaves[];
extern const u64 tr_leaves_count;
static u32 heap_leaf;
enum { IS_RESULT = 1 << 30 }; /* in `what`: the result of a function that ended without `return` */

u32 make_unwritten(u32 bits, u32 sort, u32 what)
{
    u32 zero = make_constant(bits, SORT_BITS, 0), at = tr_control->nodes;
    u32 leaf = make_node(OP_LSHR, bits, SORT_BITS, zero, zero, 0, what);
    if (!leaf) return 0;
    if (leaf == at) tr_nodes[leaf].kinds = READS_UNWRITTEN, unwritten[leaf] = mask_of(bits);
    return sort == SORT_FLOAT ? make_node(OP_F_FROM_BITS, bits, SORT_FLOAT, leaf, 0, 0, 0) : leaf;
}

static int is_leaf(u32 e)
{
    node n = tr_nodes[e];
    return n.op == OP_LSHR && is_constant(n.a);
}

/* At the start of an epoch, whose numbers are new. */
static void make_leaves(void)
{
    for (u64 i = 0; i < tr_leaves_count; i++)
        tr_leaves[i] = make_unwritten(tr_leaf_entries[i].bits, tr_leaf_entries[i].sort, tr_leaf_entries[i].what);
    heap_leaf = make_unwritten(8, SORT_BITS, 0);
}

static u64 lowest_and_above(u64 bits, u32 width) { return bits ? mask_of(width) & ~((bits & -bits) - 1) : 0; }

static u64 part_of_shift(const node *n, u64 a, u64 all)
{
    u64 by = tr_nodes[n->b].number, sign = a >> (n->bits - 1) & 1;
    if (!is_constant(n->b) || by >= n->bits) return all;
    if (n->op == OP_SHL) return a << by & all;
    return a >> by | (n->op == OP_ASHR && sign ? all & ~(all >> by) : 0);
}

/* Which bits of a new node depend on such leaves. */
u64 unwritten_part(const node *n)
{
    u64 a = unwritten[n->a], b = unwritten[n->b], c = unwritten[n->c], all = mask_of(n->bits);
    u32 split = n->b ? tr_nodes[n->b].bits : 0, inner = tr_nodes[n->a].bits;
    if (!(a | b | c)) return 0;
    switch (n->op) {
    case OP_AND:
        return is_constant(n->b) ? a & tr_nodes[n->b].number : a | b;
    case OP_OR:
        return is_constant(n->b) ? a & ~tr_nodes[n->b].number : a | b;
    case OP_XOR:
    case OP_NOT:
        return a | b;
    case OP_ADD:
    case OP_SUB:
    case OP_MUL:
        return lowest_and_above(a | b, n->bits);
    case OP_SHL:
    case OP_LSHR:
    case OP_ASHR:
        return part_of_shift(n, a, all);
    case OP_EXTRACT:
        return a >> n->number & all;
    case OP_CONCAT:
        return a << split | b;
    case OP_ZERO_EXTEND:
        return a;
    case OP_SIGN_EXTEND:
        return a >> (inner - 1) & 1 ? a | (all & ~mask_of(inner)) : a;
    case OP_ITE:
        return a ? all : b | c;
    default:
        return all;
    }
}

int is_unwritten(u32 e) { return e && unwritten[e]; }

/* What was not written: the place that names it; 0 for a heap block. */
static u32 find_unwritten(u32 e)
{
    node n = tr_nodes[e];
    if (is_leaf(e)) return (u32)n.number;
    return find_unwritten(is_unwritten(n.a) ? n.a : is_unwritten(n.b) ? n.b : n.c);
}

/* The value decides something. In the predicate of a label, only the predicate is lost. */
void check_written(u32 e, u32 place)
{
    if (!is_unwritten(e)) return;
    if (is_tight() && !has_way_out) {
        is_abandoned = 1;
        return;
    }
    if (!is_tight()) tr_control->flags |= FLAG_UNWRITTEN;
    end_run(RUN_CRASHED, WHY_UNWRITTEN, place, find_unwritten(e));
}

void tr_check_written(u32 e, u32 place) { check_written(e, place); }

/* Arguments and results may be structs with padding, so only a value counts of which no bit was written. */
static int is_wholly_unwritten(u32 e) { return e && unwritten[e] == mask_of(tr_nodes[e].bits); }

void tr_check_argument(u32 e, u32 place)
{
    if (is_wholly_unwritten(e)) check_written(e, place);
}

/* What the unit returns. Without `return` nobody may want a result: then it is none of the outputs. */
void tr_check_result(u32 e, u32 place)
{
    if (is_wholly_unwritten(e) && !(find_unwritten(e) & IS_RESULT)) check_written(e, place);
}
