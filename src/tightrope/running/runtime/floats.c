/* Probes: floats. */
#include <errno.h>
#include <string.h>

#include "runtime.h"

static u32 or_float(u32 e, u32 bits, u64 value) { return e ? e : make_constant(bits, SORT_FLOAT, value); }

u32 tr_float_binary(u32 op, u32 bits, u32 ea, u64 a, u32 eb, u64 b)
{
    if (!(ea | eb)) return 0;
    return make_node(op, bits, SORT_FLOAT, or_float(ea, bits, a), or_float(eb, bits, b), 0, 0);
}

u32 tr_float_unary(u32 op, u32 bits, u32 e) { return e ? make_node(op, bits, SORT_FLOAT, e, 0, 0, 0) : 0; }

u32 tr_float_fma(u32 bits, u32 ea, u64 a, u32 eb, u64 b, u32 ec, u64 c)
{
    if (!(ea | eb | ec)) return 0;
    return make_node(OP_F_FMA, bits, SORT_FLOAT, or_float(ea, bits, a), or_float(eb, bits, b), or_float(ec, bits, c),
                     0);
}

static u32 nan_test(u32 e)
{
    if (is_constant(e)) return truth(is_nan_bits(tr_nodes[e].bits, tr_nodes[e].number));
    return make_node(OP_F_IS_NAN, 1, SORT_BITS, e, 0, 0, 0);
}

static u32 float_test(u32 op, u32 a, u32 b) { return make_node(op, 1, SORT_BITS, a, b, 0, 0); }

static u32 unordered(u32 a, u32 b) { return build_binary(OP_OR, 1, nan_test(a), nan_test(b)); }

static u32 less_or_greater(u32 a, u32 b)
{
    return build_binary(OP_OR, 1, float_test(OP_F_LT, a, b), float_test(OP_F_LT, b, a));
}

/* LLVM's float predicates, in the order of probes.py. An unordered one is the opposite of an ordered one. */
enum float_predicate {
    P_OEQ,
    P_OGT,
    P_OGE,
    P_OLT,
    P_OLE,
    P_ONE,
    P_ORD,
    P_UEQ,
    P_FUGT,
    P_FUGE,
    P_FULT,
    P_FULE,
    P_UNE,
    P_UNO
};

static u32 build_float_compare(u32 predicate, u32 x, u32 y)
{
    switch (predicate) {
    case P_OEQ:
        return float_test(OP_F_EQ, x, y);
    case P_OGT:
        return float_test(OP_F_LT, y, x);
    case P_OGE:
        return float_test(OP_F_LE, y, x);
    case P_OLT:
        return float_test(OP_F_LT, x, y);
    case P_OLE:
        return float_test(OP_F_LE, x, y);
    case P_ONE:
        return less_or_greater(x, y);
    case P_ORD:
        return build_not(unordered(x, y));
    case P_UEQ:
        return build_not(less_or_greater(x, y));
    case P_FUGT:
        return build_not(float_test(OP_F_LE, x, y));
    case P_FUGE:
        return build_not(float_test(OP_F_LT, x, y));
    case P_FULT:
        return build_not(float_test(OP_F_LE, y, x));
    case P_FULE:
        return build_not(float_test(OP_F_LT, y, x));
    case P_UNE:
        return build_not(float_test(OP_F_EQ, x, y));
    default:
        return unordered(x, y);
    }
}

u32 tr_float_compare(u32 predicate, u32 bits, u32 ea, u64 a, u32 eb, u64 b)
{
    if (!(ea | eb)) return 0;
    return settle(build_float_compare(predicate, or_float(ea, bits, a), or_float(eb, bits, b)));
}

/* isnan and its kin, by LLVM's mask of classes: nan 3, infinite 516, finite 504, normal 264, zero 96. */
static u32 build_float_class(u32 e, u32 classes)
{
    u32 bits = tr_nodes[e].bits, magnitude = make_node(OP_F_ABS, bits, SORT_FLOAT, e, 0, 0, 0);
    u32 infinity = make_constant(bits, SORT_FLOAT, bits == 32 ? 0x7F800000 : 0x7FF0000000000000);
    u32 least = make_constant(bits, SORT_FLOAT, bits == 32 ? 0x00800000 : 0x0010000000000000);
    u32 is_finite = float_test(OP_F_LT, magnitude, infinity);
    switch (classes) {
    case 3:
        return nan_test(e);
    case 516:
        return float_test(OP_F_EQ, magnitude, infinity);
    case 504:
        return is_finite;
    case 264:
        return build_binary(OP_AND, 1, is_finite, float_test(OP_F_LE, least, magnitude));
    default:
        return float_test(OP_F_EQ, e, make_constant(bits, SORT_FLOAT, 0));
    }
}

u32 tr_float_class(u32 e, u32 classes) { return e ? build_float_class(e, classes) : 0; }

/* Float to float, integer to float. */
u32 tr_to_float(u32 op, u32 bits, u32 e) { return e ? make_node(op, bits, SORT_FLOAT, e, 0, 0, 0) : 0; }

static u64 double_bits(double d)
{
    u64 v;
    memcpy(&v, &d, 8);
    return v;
}
static u64 float_bits(float f)
{
    u32 v;
    memcpy(&v, &f, 4);
    return v;
}
static double bits_double(u64 v)
{
    double d;
    memcpy(&d, &v, 8);
    return d;
}
static float bits_float(u64 v)
{
    u32 w = (u32)v;
    float f;
    memcpy(&f, &w, 4);
    return f;
}

static u32 float_constant(u32 bits, double d)
{
    return make_constant(bits, SORT_FLOAT, bits == 32 ? float_bits((float)d) : double_bits(d));
}

static double power_of_two(u32 n) { return bits_double((u64)(1023 + n) << 52); }

/* The truncated value fits: lowest - 1 < x < highest + 1, or lowest <= x where lowest - 1 is no float. */
static u32 fits(u32 is_signed, u32 to, u32 e)
{
    u32 bits = tr_nodes[e].bits, digits = bits == 32 ? 24 : 53;
    double above = power_of_two(is_signed ? to - 1 : to), lowest = is_signed ? -above : 0;
    u32 low = is_signed && to > digits ? float_test(OP_F_LE, float_constant(bits, lowest), e)
                                       : float_test(OP_F_LT, float_constant(bits, lowest - 1), e);
    return build_binary(OP_AND, 1, low, float_test(OP_F_LT, e, float_constant(bits, above)));
}

static int fits_now(u32 is_signed, u32 to, double x)
{
    double above = power_of_two(is_signed ? to - 1 : to), lowest = is_signed ? -above : 0;
    return x < above && (x >= lowest || ((!is_signed || to <= 53) && x > lowest - 1));
}

/* A value that does not fit has another result in every build: as if nothing had written it. */
u32 tr_to_integer(u32 is_signed, u32 to, u32 from, u32 e, u64 value, u32 place)
{
    double x = from == 32 ? (double)bits_float(value) : bits_double(value);
    int now = fits_now(is_signed, to, x);
    if (e && !is_unwritten(e)) guard(fits(is_signed, to, e), now, place);
    if (!now) return make_unwritten(to, SORT_BITS, IS_CONVERSION);
    return e ? make_node(is_signed ? OP_F_TO_SIGNED : OP_F_TO_UNSIGNED, to, SORT_BITS, e, 0, 0, 0) : 0;
}

/* errno after a function of <math.h>: the program sees the model's, the library sets its own. */
void tr_clear_error(void) { errno = 0; }

void tr_take_error(void *model)
{
    if (!errno) return;
    memcpy(model, &errno, sizeof(int));
    shadow_clear((uintptr_t)model, sizeof(int));
}

/* A negative operand of sqrt sets errno. */
void tr_square_root(u32 e, u64 value, u32 place)
{
    if (!e) return;
    u32 bits = tr_nodes[e].bits;
    guard(float_test(OP_F_LT, e, float_constant(bits, 0)),
          (bits == 32 ? (double)bits_float(value) : bits_double(value)) < 0, place);
}

/* Reinterpretation: `bitcast` between an integer and a float of the same size. */
u32 tr_as_float(u32 bits, u32 e) { return e ? make_node(OP_F_FROM_BITS, bits, SORT_FLOAT, e, 0, 0, 0) : 0; }
u32 tr_as_bits(u32 e, u64 value, u32 place) { return e ? bits_of_float(e, value, place) : 0; }
