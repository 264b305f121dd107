/* Values that nothing has written: locals, heap blocks, padding, what a function without `return` returns; and what a
 * shift by too many bits, or the conversion of a float that does not fit, gives.
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

static void guard(u32 condition, int holds, u32 place);

/* Written by the weaver: the leaves of its locals, and where to put their numbers. */
typedef struct {
    u32 bits, sort, what; /* `what`: a place, which names the local */
} leaf_entry;
extern const leaf_entry tr_leaf_entries[];
extern u32 tr_leaves[];
extern const u64 tr_leaves_count;
static u32 heap_leaf;
/* In `what`: the result of a function that ended without `return`, of an undefined shift, of an undefined conversion. */
enum { IS_RESULT = 1 << 30, IS_SHIFT = 1 << 29, IS_CONVERSION = 1 << 28 };

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
    return n.op == OP_LSHR && is_constant(n.a) && n.kinds == READS_UNWRITTEN;
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

static int is_power_of_two(u32 e)
{
    u64 value = tr_nodes[e].number;
    return is_constant(e) && value && !(value & (value - 1));
}

/* Which bits of a new node depend on leaves of a kind, given those of other nodes. */
u64 dependent_part(const node *n, const u64 *of)
{
    u64 a = of[n->a], b = of[n->b], c = of[n->c], all = mask_of(n->bits);
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
    case OP_UREM:
        return is_power_of_two(n->b) ? a & (tr_nodes[n->b].number - 1) : all;
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

/* For which inputs it does not depend on such a leaf, as an expression: a leaf that is masked away, or not chosen, does
 * not count. */
static u32 defined_where(u32 e)
{
    node n = tr_nodes[e];
    if (!is_unwritten(e)) return truth(1);
    if (is_leaf(e)) return truth(0);
    if (n.op == OP_ITE)
        return build_binary(OP_AND, 1, defined_where(n.a), build_ite(n.a, defined_where(n.b), defined_where(n.c)));
    if ((n.op == OP_AND || n.op == OP_OR) && is_unwritten(n.a) != is_unwritten(n.b)) {
        u32 mask = is_unwritten(n.a) ? n.b : n.a, leaf = is_unwritten(n.a) ? n.a : n.b;
        u32 bits = make_constant(n.bits, SORT_BITS, unwritten[leaf]), none = make_constant(n.bits, SORT_BITS, 0);
        u32 is_masked = build_compare(OP_EQ, build_binary(OP_AND, n.bits, mask, bits), n.op == OP_AND ? none : bits);
        return build_binary(OP_OR, 1, defined_where(leaf), is_masked);
    }
    u32 all = defined_where(n.a);
    if (n.b) all = build_binary(OP_AND, 1, all, defined_where(n.b));
    return n.c ? build_binary(OP_AND, 1, all, defined_where(n.c)) : all;
}

/* The value of an expression over integers in this run; fails where it is made of floats, or too deep. */
static int evaluate(u32 e, int depth, u64 *value)
{
    node n = tr_nodes[e];
    u64 a = 0, b = 0, c = 0;
    u32 bits = tr_nodes[n.a].bits;
    if (n.op == OP_CONSTANT) return *value = n.number, 1;
    if (n.op == OP_INPUT)
        return *value = ((u64 *)((u8 *)tr_control + tr_control->inputs_at))[n.number] & mask_of(n.bits), 1;
    if (!depth || n.sort != SORT_BITS || tr_nodes[n.a].sort != SORT_BITS || !evaluate(n.a, depth - 1, &a)) return 0;
    if (n.op == OP_ITE) return evaluate(a ? n.b : n.c, depth - 1, value);
    if ((n.b && !evaluate(n.b, depth - 1, &b)) || (n.c && !evaluate(n.c, depth - 1, &c))) return 0;
    switch (n.op) {
    case OP_EXTRACT:
        return *value = a >> n.number & mask_of(n.bits), 1;
    case OP_CONCAT:
        return *value = a << tr_nodes[n.b].bits | b, 1;
    case OP_ZERO_EXTEND:
        return *value = a, 1;
    case OP_SIGN_EXTEND:
        return *value = sign_extend(a, bits) & mask_of(n.bits), 1;
    case OP_NOT:
        return *value = ~a & mask_of(n.bits), 1;
    case OP_EQ:
    case OP_ULT:
    case OP_ULE:
    case OP_SLT:
    case OP_SLE:
        return *value = (u64)compare_values(n.op, bits, a, b), 1;
    default:
        return *value = fold(n.op, n.bits, a, b), can_fold(n.op);
    }
}

enum { EVALUATED_DEPTH = 24 };

/* Whether the value is written after all, for the inputs of this run: then the path condition says so. */
static int is_defined_here(u32 e, u32 place)
{
    u64 is_defined = 0;
    u32 where = settle(defined_where(e));
    if (!where || !evaluate(where, EVALUATED_DEPTH, &is_defined)) return 0;
    guard(where, (int)is_defined, place);
    return (int)is_defined;
}

/* The value decides something. In the predicate of a label, only the predicate is lost. */
void check_written(u32 e, u32 place)
{
    if (!is_unwritten(e) || is_defined_here(e, place)) return;
    if (is_tight() && !has_way_out) {
        is_abandoned = 1;
        return;
    }
    if (!is_tight()) tr_control->flags |= FLAG_UNWRITTEN;
    u32 what = find_unwritten(e);
    u32 why = what & IS_SHIFT ? WHY_SHIFT_RANGE : what & IS_CONVERSION ? WHY_CONVERSION : WHY_UNWRITTEN;
    end_run(RUN_CRASHED, why, place, what);
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
