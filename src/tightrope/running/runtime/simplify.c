/* Builders of integer expressions that simplify a little on the way. Each rule keeps the meaning
 * given in expr/operators.py; tests/semantics holds every recorded expression against it.
 *
 * A builder may return a CONSTANT node; `settle` turns it into 0 where a shadow is wanted. */
#include "runtime.h"

#define N(e) (tr_nodes[e])

static u64 sign_extend(u64 v, u32 bits)
{
    u32 gap = 64 - bits;
    return (u64)((int64_t)(v << gap) >> gap);
}

static u32 constant_like(u32 e, u64 value) { return make_constant(N(e).bits, SORT_BITS, value); }

/* The shadow of a value: an expression without inputs is no shadow at all. */
static u32 settle(u32 e)
{
    int is_plain = is_constant(e) || !(N(e).kinds & READS_INPUT || is_unwritten(e) || depends_on_address(e));
    return e && is_plain ? 0 : e;
}

static u64 fold(u32 op, u32 bits, u64 x, u64 y)
{
    u64 m = mask_of(bits);
    switch (op) {
    case OP_ADD:
        return (x + y) & m;
    case OP_SUB:
        return (x - y) & m;
    case OP_MUL:
        return (x * y) & m;
    case OP_AND:
        return x & y;
    case OP_OR:
        return x | y;
    case OP_XOR:
        return x ^ y;
    case OP_SHL:
        return y >= bits ? 0 : (x << y) & m;
    case OP_LSHR:
        return y >= bits ? 0 : x >> y;
    default:
        return 0;
    }
}

static int can_fold(u32 op)
{
    return op == OP_ADD || op == OP_SUB || op == OP_MUL || op == OP_AND || op == OP_OR || op == OP_XOR ||
           op == OP_SHL || op == OP_LSHR;
}

static int commutes(u32 op) { return op == OP_ADD || op == OP_MUL || op == OP_AND || op == OP_OR || op == OP_XOR; }

/* (x + 1) + 2 = x + 3 */
static u32 add_constant(u32 a, u32 bits, u64 value)
{
    value &= mask_of(bits);
    if (N(a).op == OP_ADD && is_constant(N(a).b)) {
        value = (value + N(N(a).b).number) & mask_of(bits);
        a = N(a).a;
    }
    if (is_constant(a)) return constant_like(a, N(a).number + value);
    return value ? make_node(OP_ADD, bits, SORT_BITS, a, make_constant(bits, SORT_BITS, value), 0, 0) : a;
}

/* x op c where c does not change x, or decides the result. Returns 0 if no rule applies. */
static u32 with_constant(u32 op, u32 bits, u32 a, u64 c)
{
    switch (op) {
    case OP_ADD:
        return add_constant(a, bits, c);
    case OP_SUB:
        return add_constant(a, bits, 0 - c);
    case OP_MUL:
        return c == 0 ? constant_like(a, 0) : c == 1 ? a : 0;
    case OP_AND:
        return c == 0 ? constant_like(a, 0) : c == mask_of(bits) ? a : 0;
    case OP_OR:
        return c == 0 ? a : 0;
    case OP_XOR:
        return c == 0 ? a : c == mask_of(bits) ? build_not(a) : 0;
    case OP_SHL:
    case OP_LSHR:
    case OP_ASHR:
        return c == 0 ? a : 0;
    case OP_UDIV:
    case OP_SDIV:
        return c == 1 ? a : 0;
    default:
        return 0;
    }
}

static u32 distance_in_object(u32 a, u32 b);
static u32 mark_address(u32 op, u32 e, u64 bits);

u32 build_binary(u32 op, u32 bits, u32 a, u32 b)
{
    if (!a || !b) return 0;
    if (is_constant(a) && is_constant(b) && can_fold(op))
        return make_constant(bits, SORT_BITS, fold(op, bits, N(a).number, N(b).number));
    if (commutes(op) && (is_constant(a) || (!is_constant(b) && comes_after(a, b)))) {
        u32 t = a;
        a = b;
        b = t;
    }
    if (is_constant(b)) {
        u32 e = with_constant(op, bits, a, N(b).number);
        if (!e && N(a).kinds & READS_ADDRESS) e = mark_address(op, a, N(b).number);
        if (e) return e;
    }
    if (a == b && (op == OP_SUB || op == OP_XOR) && !is_unwritten(a)) return make_constant(bits, SORT_BITS, 0);
    if (a == b && (op == OP_AND || op == OP_OR)) return a;
    if (op == OP_XOR && N(a).op == OP_XOR && (N(a).a == b || N(a).b == b)) return N(a).a == b ? N(a).b : N(a).a;
    if (op == OP_XOR && N(b).op == OP_XOR && (N(b).a == a || N(b).b == a)) return N(b).a == a ? N(b).b : N(b).a;
    if (op == OP_SUB && N(a).kinds & N(b).kinds & READS_ADDRESS) {
        u32 e = distance_in_object(a, b);
        if (e) return e;
    }
    return make_node(op, bits, SORT_BITS, a, b, 0, 0);
}

u32 build_not(u32 a)
{
    if (!a) return 0;
    if (N(a).op == OP_NOT) return N(a).a;
    if (is_constant(a)) return constant_like(a, ~N(a).number);
    return make_node(OP_NOT, N(a).bits, SORT_BITS, a, 0, 0, 0);
}

/* Takes the extraction down to where the bits come from. */
u32 build_extract(u32 a, u32 low, u32 bits)
{
    while (a) {
        node n = N(a);
        if (low == 0 && bits == n.bits) return a;
        if (n.op == OP_CONSTANT) return make_constant(bits, SORT_BITS, n.number >> low);
        if (n.op == OP_EXTRACT) {
            low += (u32)n.number;
            a = n.a;
            continue;
        }
        if (n.op == OP_CONCAT) {
            u32 split = N(n.b).bits;
            if (low >= split) {
                low -= split;
                a = n.a;
                continue;
            }
            if (low + bits <= split) {
                a = n.b;
                continue;
            }
        }
        if (n.op == OP_ZERO_EXTEND || n.op == OP_SIGN_EXTEND) {
            u32 inner = N(n.a).bits;
            if (low + bits <= inner) {
                a = n.a;
                continue;
            }
            if (n.op == OP_ZERO_EXTEND && low >= inner) return make_constant(bits, SORT_BITS, 0);
            if (low == 0) return build_extend(n.op, n.a, bits);
        }
        break;
    }
    return a ? make_node(OP_EXTRACT, bits, SORT_BITS, a, 0, 0, low) : 0;
}

u32 build_concat(u32 high, u32 low)
{
    if (!high || !low) return 0;
    node h = N(high), l = N(low);
    u32 bits = h.bits + l.bits;
    if (h.op == OP_CONSTANT && l.op == OP_CONSTANT)
        return make_constant(bits, SORT_BITS, h.number << l.bits | l.number);
    if (h.op == OP_CONSTANT && h.number == 0) return build_extend(OP_ZERO_EXTEND, low, bits);
    if (h.op == OP_EXTRACT && l.op == OP_EXTRACT && h.a == l.a && h.number == l.number + l.bits)
        return build_extract(h.a, (u32)l.number, bits);
    return make_node(OP_CONCAT, bits, SORT_BITS, high, low, 0, 0);
}

u32 build_extend(u32 op, u32 a, u32 bits)
{
    if (!a) return 0;
    node n = N(a);
    if (n.bits == bits) return a;
    if (n.op == OP_CONSTANT)
        return make_constant(bits, SORT_BITS, op == OP_SIGN_EXTEND ? sign_extend(n.number, n.bits) : n.number);
    if (n.op == op) return make_node(op, bits, SORT_BITS, n.a, 0, 0, 0);
    if (op == OP_SIGN_EXTEND && n.op == OP_ZERO_EXTEND) return make_node(OP_ZERO_EXTEND, bits, SORT_BITS, n.a, 0, 0, 0);
    return make_node(op, bits, SORT_BITS, a, 0, 0, 0);
}

static u32 truth(int value) { return make_constant(1, SORT_BITS, (u64)value); }

static int compare_values(u32 op, u32 bits, u64 x, u64 y)
{
    int64_t sx = (int64_t)sign_extend(x, bits), sy = (int64_t)sign_extend(y, bits);
    switch (op) {
    case OP_EQ:
        return x == y;
    case OP_ULT:
        return x < y;
    case OP_ULE:
        return x <= y;
    case OP_SLT:
        return sx < sy;
    default:
        return sx <= sy;
    }
}

/* zext(x) == c and sext(x) == c, on the narrow x. */
static u32 equals_extended(u32 a, u64 c)
{
    node n = N(a), inner = N(n.a);
    u64 narrow = c & mask_of(inner.bits);
    u64 back = n.op == OP_SIGN_EXTEND ? sign_extend(narrow, inner.bits) & mask_of(n.bits) : narrow;
    if (back != c) return truth(0);
    return build_compare(OP_EQ, n.a, constant_like(n.a, narrow));
}

enum { CHOICE_DEPTH = 4 };

/* (b ? 16 : 32) == 16 is b: on choices among constants. Returns 0 when `e` is none. */
static u32 equals_choice(u32 e, u64 c, int depth)
{
    node n = N(e);
    if (n.op == OP_CONSTANT) return truth(n.number == c);
    if (n.op != OP_ITE || n.sort != SORT_BITS || !depth) return 0;
    u32 then = equals_choice(n.b, c, depth - 1), otherwise = then ? equals_choice(n.c, c, depth - 1) : 0;
    return otherwise ? build_ite(n.a, then, otherwise) : 0;
}

static u32 equals_constant(u32 a, u64 c)
{
    node n = N(a);
    if (n.bits == 1) return c ? a : build_not(a);
    if (n.op == OP_ZERO_EXTEND || n.op == OP_SIGN_EXTEND) return equals_extended(a, c);
    if (n.op == OP_ADD && is_constant(n.b)) return build_compare(OP_EQ, n.a, constant_like(a, c - N(n.b).number));
    if (n.op == OP_NOT) return build_compare(OP_EQ, n.a, constant_like(a, ~c));
    if (n.op != OP_ITE) return 0;
    u32 e = equals_choice(a, c, CHOICE_DEPTH);
    return e && is_constant(e) && !(is_constant(n.b) && is_constant(n.c)) ? 0 : e; /* the path should record it */
}

/* Is `value` the image of some narrow value under this extension, and of which? */
static int narrowed(u32 extension, u32 inner_bits, u32 bits, u64 value, u64 *narrow)
{
    *narrow = value & mask_of(inner_bits);
    u64 back = extension == OP_SIGN_EXTEND ? sign_extend(*narrow, inner_bits) & mask_of(bits) : *narrow;
    return back == value;
}

/* extend(x) < extend(y): on x and y themselves; zero extension makes a signed comparison unsigned.
 * With a constant out of the narrow range the wide comparison stays. */
static u32 compare_narrow(u32 op, u32 a, u32 b)
{
    node na = N(a), nb = N(b);
    u32 extension = is_constant(a) ? nb.op : na.op;
    if (extension != OP_ZERO_EXTEND && extension != OP_SIGN_EXTEND) return 0;
    if (extension == OP_SIGN_EXTEND && (op == OP_ULT || op == OP_ULE)) return 0;
    if (!is_constant(a) && !is_constant(b) && (na.op != nb.op || N(na.a).bits != N(nb.a).bits)) return 0;
    u32 inner = is_constant(a) ? N(nb.a).bits : N(na.a).bits;
    u64 value;
    if (is_constant(a) && !narrowed(extension, inner, na.bits, na.number, &value)) return 0;
    u32 x = is_constant(a) ? make_constant(inner, SORT_BITS, value) : na.a;
    if (is_constant(b) && !narrowed(extension, inner, nb.bits, nb.number, &value)) return 0;
    u32 y = is_constant(b) ? make_constant(inner, SORT_BITS, value) : nb.a;
    if (extension == OP_ZERO_EXTEND) op = op == OP_SLT ? OP_ULT : op == OP_SLE ? OP_ULE : op;
    return build_compare(op, x, y);
}

static void strip_same_object(u32 *a, u32 *b);

u32 build_compare(u32 op, u32 a, u32 b)
{
    if (!a || !b) return 0;
    if (N(a).kinds & N(b).kinds & READS_ADDRESS) strip_same_object(&a, &b);
    u32 bits = N(a).bits;
    if (is_constant(a) && is_constant(b)) return truth(compare_values(op, bits, N(a).number, N(b).number));
    if (a == b && !is_unwritten(a)) return truth(op == OP_EQ || op == OP_ULE || op == OP_SLE);
    if (op == OP_EQ && (is_constant(a) || (!is_constant(b) && comes_after(a, b)))) {
        u32 t = a;
        a = b;
        b = t;
    }
    u32 e = 0;
    if (op == OP_EQ && is_constant(b)) e = equals_constant(a, N(b).number);
    if (op == OP_EQ && !e && N(a).op == N(b).op && (N(a).op == OP_ZERO_EXTEND || N(a).op == OP_SIGN_EXTEND) &&
        N(N(a).a).bits == N(N(b).a).bits)
        return build_compare(OP_EQ, N(a).a, N(b).a);
    if (op != OP_EQ) e = compare_narrow(op, a, b);
    return e ? e : make_node(op, 1, SORT_BITS, a, b, 0, 0);
}

u32 build_ite(u32 c, u32 a, u32 b)
{
    if (!c || !a || !b) return 0;
    if (a == b) return a;
    if (is_constant(c)) return N(c).number ? a : b;
    if (N(a).bits == 1 && N(a).sort == SORT_BITS) {
        if (is_constant(a))
            return N(a).number ? build_binary(OP_OR, 1, c, b) : build_binary(OP_AND, 1, build_not(c), b);
        if (is_constant(b))
            return N(b).number ? build_binary(OP_OR, 1, build_not(c), a) : build_binary(OP_AND, 1, c, a);
    }
    return make_node(OP_ITE, N(a).bits, N(a).sort, c, a, b, 0);
}

/* Expressions are graphs: without a limit on depth, a walk over shared parts is exponential. */
enum { WALK_DEPTH = 8 };

static u64 bound_of(u32 e, int depth);

static u64 bound_of_sum(const node *n, int depth)
{
    u64 x = bound_of(n->a, depth), y = bound_of(n->b, depth);
    return x + y < x || x + y > mask_of(n->bits) ? mask_of(n->bits) : x + y;
}

static u64 bound_of_product(const node *n, int depth)
{
    u64 x = bound_of(n->a, depth), y = bound_of(n->b, depth);
    return x && y > mask_of(n->bits) / x ? mask_of(n->bits) : x * y;
}

static u64 bound_of(u32 e, int depth)
{
    node n = N(e);
    u64 top = mask_of(n.bits), x, y, c = n.b && is_constant(n.b) ? N(n.b).number : 0;
    if (n.op == OP_CONSTANT) return n.number;
    if (depth-- == 0 || n.sort != SORT_BITS) return top;
    switch (n.op) {
    case OP_ZERO_EXTEND:
        return bound_of(n.a, depth);
    case OP_AND:
        x = bound_of(n.a, depth), y = bound_of(n.b, depth);
        return x < y ? x : y;
    case OP_ADD:
        return bound_of_sum(&n, depth);
    case OP_MUL:
        return bound_of_product(&n, depth);
    case OP_UREM:
        return c ? c - 1 : top;
    case OP_UDIV:
        return c ? bound_of(n.a, depth) / c : top;
    case OP_LSHR:
        return c < n.bits && is_constant(n.b) && !is_constant(n.a) ? bound_of(n.a, depth) >> c : top;
    case OP_SIGN_EXTEND: /* a value whose top bit is never set extends with zeros */
        x = bound_of(n.a, depth);
        return x <= mask_of(N(n.a).bits) >> 1 ? x : top;
    default:
        return top;
    }
}

/* The largest value that the expression can have, as far as its structure tells. */
u64 upper_bound(u32 e) { return bound_of(e, WALK_DEPTH); }

static u32 trailing_zeros(u64 value, u32 bits)
{
    u32 n = 0;
    while (n < bits && !(value >> n & 1)) n++;
    return n;
}

static u32 low_bits_of(u32 e, int depth)
{
    node n = N(e);
    u32 x, y;
    if (n.op == OP_CONSTANT) return n.bits;
    if (depth-- == 0) return 0;
    switch (n.op) {
    case OP_ADD:
    case OP_SUB:
    case OP_AND:
    case OP_OR:
    case OP_XOR:
        x = low_bits_of(n.a, depth), y = low_bits_of(n.b, depth);
        return x < y ? x : y;
    case OP_MUL:
        return is_constant(n.b) ? trailing_zeros(N(n.b).number, n.bits) : 0;
    case OP_SHL:
        return is_constant(n.b) && N(n.b).number < n.bits ? (u32)N(n.b).number : 0;
    case OP_ZERO_EXTEND:
    case OP_SIGN_EXTEND:
        x = low_bits_of(n.a, depth);
        return x < N(n.a).bits ? x : N(n.a).bits;
    default:
        return 0;
    }
}

/* How many of the lowest bits are the same for all inputs. */
u32 known_low_bits(u32 e) { return low_bits_of(e, WALK_DEPTH); }
