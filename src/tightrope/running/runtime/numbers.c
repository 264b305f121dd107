/* Probes: integers, and addresses as far as they are numbers. */
#include "runtime.h"

static u32 or_constant(u32 e, u32 bits, u64 value) { return e ? e : make_constant(bits, SORT_BITS, value); }

u32 tr_binary(u32 op, u32 bits, u32 ea, u64 a, u32 eb, u64 b)
{
    if (!(ea | eb)) return 0;
    return settle(build_binary(op, bits, or_constant(ea, bits, a), or_constant(eb, bits, b)));
}

/* A shift by a negative number or by too many bits has another result in every build: as if nothing had written it. */
static int is_out_of_range(u32 bits, u32 e, u64 amount)
{
    if (e && upper_bound(e) >= bits)
        guard(build_compare(OP_ULT, e, make_constant(bits, SORT_BITS, bits)), amount < bits, tr_control->place);
    return amount >= bits;
}

/* The amount of a shift is masked, as the machine does; the woven instruction does the same. */
u32 tr_shift(u32 op, u32 bits, u32 ea, u64 a, u32 eb, u64 b)
{
    if (is_out_of_range(bits, eb, b)) {
        note_risk(); /* whatever becomes of the result */
        return make_unwritten(bits, SORT_BITS, IS_SHIFT);
    }
    if (!(ea | eb)) return 0;
    u32 amount = build_binary(OP_AND, bits, or_constant(eb, bits, b), make_constant(bits, SORT_BITS, bits - 1));
    return settle(build_binary(op, bits, or_constant(ea, bits, a), amount));
}

static void guard_overflow(u32 bits, u32 a, u64 va, u32 b, u64 vb, u32 place)
{
    u64 lowest = (u64)1 << (bits - 1), minus_one = mask_of(bits);
    int overflows = va == lowest && vb == minus_one;
    u32 is_lowest = build_compare(OP_EQ, a, make_constant(bits, SORT_BITS, lowest));
    u32 is_minus_one = build_compare(OP_EQ, b, make_constant(bits, SORT_BITS, minus_one));
    guard(build_not(build_binary(OP_AND, 1, is_lowest, is_minus_one)), !overflows, place);
    if (overflows) end_run(RUN_CRASHED, WHY_DIVISION_OVERFLOW, place, 0);
}

u32 tr_divide(u32 op, u32 bits, u32 ea, u64 a, u32 eb, u64 b, u32 place)
{
    int is_signed = op == OP_SDIV || op == OP_SREM;
    u32 x = ea | eb ? or_constant(ea, bits, a) : 0, y = ea | eb ? or_constant(eb, bits, b) : 0;
    if (eb) guard(build_not(build_compare(OP_EQ, y, make_constant(bits, SORT_BITS, 0))), b != 0, place);
    if (!b) end_run(RUN_CRASHED, WHY_DIVISION_BY_ZERO, place, 0);
    if (is_signed && !(ea | eb) && a == (u64)1 << (bits - 1) && b == mask_of(bits))
        end_run(RUN_CRASHED, WHY_DIVISION_OVERFLOW, place, 0);
    if (!(ea | eb)) return 0;
    if (is_signed) guard_overflow(bits, x, a, y, b, place);
    return settle(build_binary(op, bits, x, y));
}

/* LLVM's integer predicates, in the order of probes.py, as ours. */
enum predicate { P_EQ, P_NE, P_UGT, P_UGE, P_ULT, P_ULE, P_SGT, P_SGE, P_SLT, P_SLE };

u32 tr_compare(u32 predicate, u32 bits, u32 ea, u64 a, u32 eb, u64 b)
{
    if (!(ea | eb)) return 0;
    u32 x = or_constant(ea, bits, a), y = or_constant(eb, bits, b);
    switch (predicate) {
    case P_EQ:
        return settle(build_compare(OP_EQ, x, y));
    case P_NE:
        return settle(build_not(build_compare(OP_EQ, x, y)));
    case P_UGT:
        return settle(build_compare(OP_ULT, y, x));
    case P_UGE:
        return settle(build_compare(OP_ULE, y, x));
    case P_ULT:
        return settle(build_compare(OP_ULT, x, y));
    case P_ULE:
        return settle(build_compare(OP_ULE, x, y));
    case P_SGT:
        return settle(build_compare(OP_SLT, y, x));
    case P_SGE:
        return settle(build_compare(OP_SLE, y, x));
    case P_SLT:
        return settle(build_compare(OP_SLT, x, y));
    default:
        return settle(build_compare(OP_SLE, x, y));
    }
}

u32 tr_extend(u32 op, u32 bits, u32 e) { return settle(build_extend(op, e, bits)); }
u32 tr_truncate(u32 bits, u32 e) { return settle(build_extract(e, 0, bits)); }

u32 tr_select(u32 bits, u32 sort, u32 ec, u32 c, u32 ea, u64 a, u32 eb, u64 b)
{
    if (!ec) return c ? ea : eb;
    u32 is_float = sort == SORT_FLOAT;
    if ((is_unwritten(ea) || is_unwritten(eb)) && !is_unwritten(ec)) {
        guard(ec, (int)c, 0);
        return c ? ea : eb;
    }
    if (!ea) ea = make_constant(bits, is_float, a);
    if (!eb) eb = make_constant(bits, is_float, b);
    u32 e = settle(build_ite(ec, ea, eb));
    if (sort == SORT_ADDRESS) chosen_origin(e, c ? a : b);
    return e;
}

/* Whether a + b, a - b or a * b wraps. Narrow operands are computed twice as wide and compared. */
static u32 wide_overflow(u32 op, u32 is_signed, u32 bits, u32 x, u32 y)
{
    u32 extend = is_signed ? OP_SIGN_EXTEND : OP_ZERO_EXTEND, wide = 2 * bits;
    u32 whole = build_binary(op, wide, build_extend(extend, x, wide), build_extend(extend, y, wide));
    u32 wrapped = build_extend(extend, build_extract(whole, 0, bits), wide);
    return build_not(build_compare(OP_EQ, whole, wrapped));
}

static u32 sum_overflow(u32 op, u32 is_signed, u32 x, u32 y)
{
    u32 r = build_binary(op, 64, x, y), zero = make_constant(64, SORT_BITS, 0);
    if (!is_signed) return op == OP_ADD ? build_compare(OP_ULT, r, x) : build_compare(OP_ULT, x, y);
  /* the sign of the result differs from that of a, and (a + b) from that of b, (a - b) is that of b */
    u32 other = op == OP_ADD ? build_binary(OP_XOR, 64, y, r) : build_binary(OP_XOR, 64, x, y);
    return build_compare(OP_SLT, build_binary(OP_AND, 64, build_binary(OP_XOR, 64, x, r), other), zero);
}

u32 tr_overflow(u32 kind, u32 bits, u32 ea, u64 a, u32 eb, u64 b, u32 place)
{
    static const u8 ops[] = {OP_ADD, OP_ADD, OP_SUB, OP_SUB, OP_MUL, OP_MUL};
    if (!(ea | eb)) return 0;
    u32 is_signed = !(kind & 1), x = or_constant(ea, bits, a), y = or_constant(eb, bits, b);
    if (bits <= 32) return settle(wide_overflow(ops[kind], is_signed, bits, x, y));
    if (bits == 64 && ops[kind] != OP_MUL) return settle(sum_overflow(ops[kind], is_signed, x, y));
    pin(ea, a, place);
    pin(eb, b, place);
    return 0;
}

/* The bits that a number needs with its sign, at most. */
static u32 signed_width(u32 e, int depth)
{
    node n = tr_nodes[e];
    int64_t value = (int64_t)n.number << (64 - n.bits) >> (64 - n.bits);
    if (is_constant(e)) return (u32)(65 - __builtin_clzll((u64)(value < 0 ? ~value : value) | 1));
    if (n.op == OP_SIGN_EXTEND) return tr_nodes[n.a].bits;
    if (n.op == OP_ZERO_EXTEND) return tr_nodes[n.a].bits + 1u;
    if (!depth || (n.op != OP_ADD && n.op != OP_SUB && n.op != OP_MUL)) return n.bits;
    u32 a = signed_width(n.a, depth - 1), b = signed_width(n.b, depth - 1), sum = (a > b ? a : b) + 1;
    u32 width = n.op == OP_MUL ? a + b : sum;
    return width < n.bits ? width : n.bits;
}

static u32 number(u32 bits, int64_t value) { return make_constant(bits, SORT_BITS, (u64)value & mask_of(bits)); }
static u32 is_at_least(u32 e, u32 bits, int64_t least) { return build_compare(OP_SLE, number(bits, least), e); }
static u32 is_at_most(u32 e, u32 bits, int64_t most) { return build_compare(OP_SLE, e, number(bits, most)); }

/* x + c, x - c or x * c stays in range: between two numbers. */
static u32 fits_with_constant(u32 op, u32 bits, u32 x, int64_t c)
{
    int64_t most = (int64_t)(mask_of(bits) >> 1), least = -most - 1;
    if (op == OP_MUL) {
        if (c == -1) return is_at_least(x, bits, -most);
        return c > 0 ? build_binary(OP_AND, 1, is_at_least(x, bits, least / c), is_at_most(x, bits, most / c))
                     : build_binary(OP_AND, 1, is_at_least(x, bits, most / c), is_at_most(x, bits, least / c));
    }
    if (op == OP_ADD) return c > 0 ? is_at_most(x, bits, most - c) : is_at_least(x, bits, least - c);
    return c > 0 ? is_at_least(x, bits, least + c) : is_at_most(x, bits, most + c);
}

/* c - x stays in range. */
static u32 fits_below_constant(u32 bits, int64_t c, u32 x)
{
    int64_t most = (int64_t)(mask_of(bits) >> 1), least = -most - 1;
    return c >= 0 ? is_at_least(x, bits, c - most) : is_at_most(x, bits, c - least);
}

/* A product of 64 bits fits when dividing it gives the factor back. */
static u32 product_fits(u32 x, u32 y)
{
    u32 zero = make_constant(64, SORT_BITS, 0), back = build_binary(OP_SDIV, 64, build_binary(OP_MUL, 64, x, y), x);
    u32 wraps = build_binary(OP_AND, 1, build_compare(OP_EQ, x, make_constant(64, SORT_BITS, ~(u64)0)),
                             build_compare(OP_EQ, y, make_constant(64, SORT_BITS, (u64)1 << 63)));
    u32 is_same = build_binary(OP_AND, 1, build_compare(OP_EQ, back, y), build_not(wraps));
    return build_binary(OP_OR, 1, build_compare(OP_EQ, x, zero), is_same);
}

/* 0: for all inputs. */
static u32 build_fits(u32 op, u32 bits, u32 x, int64_t a, u32 y, int64_t b)
{
    int is_zero = op == OP_MUL && ((is_constant(x) && !a) || (is_constant(y) && !b));
    if (is_zero) return 0;
    if (is_constant(y)) return fits_with_constant(op, bits, x, b);
    if (is_constant(x)) return op == OP_SUB ? fits_below_constant(bits, a, y) : fits_with_constant(op, bits, y, a);
    if (bits <= 32) return build_not(wide_overflow(op, 1, bits, x, y));
    return op == OP_MUL ? product_fits(x, y) : build_not(sum_overflow(op, 1, x, y));
}

static int fits_signed(u32 op, u32 bits, int64_t a, int64_t b)
{
    int64_t r, most = (int64_t)(mask_of(bits) >> 1);
    int wraps = op == OP_ADD   ? __builtin_add_overflow(a, b, &r)
                : op == OP_SUB ? __builtin_sub_overflow(a, b, &r)
                               : __builtin_mul_overflow(a, b, &r);
    return !wraps && r <= most && r >= -most - 1;
}

u32 tr_overflowed; /* signed arithmetic of the run wrapped around; woven code writes it */

/* --check overflow: a signed sum, difference or product that is out of range ends the run. */
void tr_check_overflow(u32 op, u32 bits, u32 ea, u64 a, u32 eb, u64 b, u32 place)
{
    int64_t va = (int64_t)(a << (64 - bits)) >> (64 - bits), vb = (int64_t)(b << (64 - bits)) >> (64 - bits);
    int fits = fits_signed(op, bits, va, vb);
    if (ea | eb) {
        u32 x = or_constant(ea, bits, a), y = or_constant(eb, bits, b), wx = signed_width(x, 4),
            wy = signed_width(y, 4);
        u32 needed = op == OP_MUL ? wx + wy : (wx > wy ? wx : wy) + 1;
        if (needed > bits && bits > 32 && bits < 64)
            pin(ea, a, place), pin(eb, b, place);
        else if (needed > bits)
            guard(build_fits(op, bits, x, va, y, vb), fits, place);
    }
    if (!fits) end_run(RUN_CRASHED, WHY_SIGNED_OVERFLOW, place, 0);
}

/* --check shift: a shift by a negative number, or by as many bits as the number has, ends the run. */
void tr_check_shift(u32 bits, u32 e, u64 amount, u32 place)
{
    if (e) guard(build_compare(OP_ULT, e, make_constant(bits, SORT_BITS, bits)), amount < bits, place);
    if (amount >= bits) end_run(RUN_CRASHED, WHY_SHIFT_RANGE, place, 0);
}

static u32 bit(u32 e, u32 index) { return build_extract(e, index, 1); }

static u32 population(u32 bits, u32 e)
{
    u32 sum = make_constant(bits, SORT_BITS, 0);
    for (u32 i = 0; i < bits; i++) sum = build_binary(OP_ADD, bits, sum, build_extend(OP_ZERO_EXTEND, bit(e, i), bits));
    return sum;
}

/* The number of zeros before the first one, from the top (kind 1) or from the bottom (kind 2). */
static u32 zeros(u32 kind, u32 bits, u32 e)
{
    u32 count = make_constant(bits, SORT_BITS, bits);
    for (u32 i = bits; i-- > 0;) {
        u32 index = kind == 1 ? bits - 1 - i : i;
        count = build_ite(bit(e, index), make_constant(bits, SORT_BITS, i), count);
    }
    return count;
}

u32 tr_count_bits(u32 kind, u32 bits, u32 e)
{
    return e ? settle(kind ? zeros(kind, bits, e) : population(bits, e)) : 0;
}

u32 tr_byte_swap(u32 e)
{
    if (!e) return 0;
    u32 bytes = tr_nodes[e].bits / 8, swapped = build_extract(e, 8 * (bytes - 1), 8);
    for (u32 i = 1; i < bytes; i++) swapped = build_concat(build_extract(e, 8 * (bytes - 1 - i), 8), swapped);
    return settle(swapped);
}

/* base + index * scale, on addresses. */
u32 tr_index(u32 ebase, u64 base, u32 eindex, u64 index, u64 scale)
{
    ebase = unless_pinned(ebase);
    if (!(ebase | eindex)) return 0;
    u32 offset = build_binary(OP_MUL, 64, or_constant(eindex, 64, index), make_constant(64, SORT_BITS, scale));
    u32 e = settle(build_binary(OP_ADD, 64, or_constant(ebase, 64, base), offset));
    derive_origin(e, ebase, base);
    return e;
}

/* Where the objects of the inputs lie, and whether they share addresses with each other, with functions or with other
 * objects of a caller, is our choice. A run that compares such an address with another one, or reads it as a number,
 * depends on that choice, so it reaches a bound. Blocks and locals of the unit itself are not known to a caller. */
static int is_given(const object *o) { return o && (has_nature(o, GIVEN) || is_stream(o)); }
static int may_be_given(const object *o) { return !o || is_global(o) || is_stream(o); }
