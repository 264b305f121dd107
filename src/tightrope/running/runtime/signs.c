/* Probes: signs and fractions of floats. */
#include <math.h>

#include "runtime.h"

static u32 float_unary(u32 op, u32 e) { return make_node(op, tr_nodes[e].bits, SORT_FLOAT, e, 0, 0, 0); }

/* 1 if negative. The solver's floats have no sign for zeros and NaN: for a value that did not come from bits, the
 * sign is kept as in this run. */
static u32 sign_of(u32 e, u64 value, u32 place)
{
    u32 bits = tr_nodes[e].bits, known = known_bits(e, KNOWN_DEPTH);
    u64 magnitude = value & mask_of(bits - 1);
    int is_plain = magnitude && !is_nan_bits(bits, value);
    if (known) return build_extract(known, bits - 1, 1);
    guard(float_test(OP_F_LT, float_constant(bits, 0), float_unary(OP_F_ABS, e)), is_plain, place);
    if (is_plain) return float_test(OP_F_LT, e, float_constant(bits, 0));
    return bits_of_float(e, value, place);
}

/* |x| with the sign of y. */
u32 tr_copy_sign(u32 bits, u32 ex, u64 x, u32 ey, u64 y, u32 place)
{
    if (!(ex | ey)) return 0;
    u32 magnitude = ex ? float_unary(OP_F_ABS, ex) : make_constant(bits, SORT_FLOAT, x & mask_of(bits - 1));
    u32 negated = ex ? float_unary(OP_F_NEG, magnitude) : make_constant(bits, SORT_FLOAT, x | (u64)1 << (bits - 1));
    u32 sign = ey ? sign_of(ey, y, place) : 0;
    if (sign) return settle(build_ite(sign, negated, magnitude));
    return settle(y >> (bits - 1) ? negated : magnitude);
}

/* For models, which call it where the quotient is large. */
double tightrope_native_fmod(double x, double y) { return fmod(x, y); }
float tightrope_native_fmodf(float x, float y) { return fmodf(x, y); }

/* What modf returns: x without its whole part. A zero has the sign of x. */
u32 tr_fraction(u32 bits, u32 e)
{
    if (!e) return 0;
    u32 zero = float_constant(bits, 0), minus_zero = make_constant(bits, SORT_FLOAT, (u64)1 << (bits - 1));
    u32 whole = float_unary(OP_F_TRUNC, e);
    u32 nothing = build_ite(float_test(OP_F_LT, zero, e), zero, e);
    nothing = build_ite(float_test(OP_F_LT, e, zero), minus_zero, nothing);
    u32 rest = make_node(OP_F_SUB, bits, SORT_FLOAT, e, whole, 0, 0);
    return settle(build_ite(float_test(OP_F_EQ, e, whole), nothing, rest));
}
