/* Models of the functions of <math.h> that work on exponents, signs and neighbours: by the bits of a number, which are
 * expressions where the number came from memory. */

int *tightrope_model___errno_location(void);

enum { OUT_OF_DOMAIN = 33, OUT_OF_RANGE = 34 }; /* EDOM and ERANGE of Linux */

/* Sets errno; no branch. */
static void complain(int if_not_zero, int error)
{
    int *number = tightrope_model___errno_location(), mask = -(if_not_zero != 0);
    *number = (*number & ~mask) | (error & mask);
}

typedef unsigned long word;

static word bits_of(double x)
{
    word bits;
    __builtin_memcpy(&bits, &x, sizeof bits);
    return bits;
}

static double from_bits(word bits)
{
    double x;
    __builtin_memcpy(&x, &bits, sizeof x);
    return x;
}

static unsigned float_bits_of(float x)
{
    unsigned bits;
    __builtin_memcpy(&bits, &x, sizeof bits);
    return bits;
}

static float float_from_bits(unsigned bits)
{
    float x;
    __builtin_memcpy(&x, &bits, sizeof x);
    return x;
}

/* x * 2^n, rounded once: of the products only the last one can be inexact, unless the result is zero anyway. */
static double scaled(double x, long n)
{
    n = n > 2200 ? 2200 : n < -2200 ? -2200 : n;
    for (; n > 1023; n -= 1000) x *= 0x1p1000;
    for (; n < -1022; n += 900) x *= 0x1p-900;
    return x * from_bits((word)(n + 1023) << 52);
}

static float float_scaled(float x, long n)
{
    n = n > 400 ? 400 : n < -400 ? -400 : n;
    for (; n > 127; n -= 100) x *= 0x1p100f;
    for (; n < -126; n += 100) x *= 0x1p-100f;
    return x * float_from_bits((unsigned)(n + 127) << 23);
}

#define IS_LOST(x, result) ((__builtin_isfinite(x) & ((x) != 0)) & (!__builtin_isfinite(result) | ((result) == 0)))

static double checked_scaled(double x, long n)
{
    double result = scaled(x, n);
    complain(IS_LOST(x, result), OUT_OF_RANGE);
    return result;
}

static float checked_float_scaled(float x, long n)
{
    float result = float_scaled(x, n);
    complain(IS_LOST(x, result), OUT_OF_RANGE);
    return result;
}

double tightrope_model_ldexp(double x, int n) { return checked_scaled(x, n); }
float tightrope_model_ldexpf(float x, int n) { return checked_float_scaled(x, n); }
double tightrope_model_scalbn(double x, int n) { return checked_scaled(x, n); }
float tightrope_model_scalbnf(float x, int n) { return checked_float_scaled(x, n); }
double tightrope_model_scalbln(double x, long n) { return checked_scaled(x, n); }
float tightrope_model_scalblnf(float x, long n) { return checked_float_scaled(x, n); }

/* A number that is neither zero, infinite nor NaN: 1.fraction * 2^exponent. */
struct parts {
    word fraction;
    int exponent;
};

static struct parts parts_of(double x)
{
    word bits = bits_of(x), fraction = bits & (((word)1 << 52) - 1);
    int exponent = (int)(bits >> 52 & 0x7ff);
    if (exponent == 0) { /* the leading one is somewhere below */
        int shift = __builtin_clzl(fraction) - 11;
        return (struct parts){fraction << shift & (((word)1 << 52) - 1), -1022 - shift};
    }
    return (struct parts){fraction, exponent - 1023};
}

#define IS_PLAIN(x) ((__builtin_fabs(x) > 0) & (__builtin_fabs(x) < __builtin_inf()))

double tightrope_model_frexp(double x, int *exponent)
{
    *exponent = 0;
    if (!IS_PLAIN(x)) return x + x;
    struct parts parts = parts_of(x);
    *exponent = parts.exponent + 1;
    return from_bits((bits_of(x) & (word)1 << 63) | (word)1022 << 52 | parts.fraction);
}

/* As a double the number has the same exponent, and its fraction ends with zeros. */
float tightrope_model_frexpf(float x, int *exponent) { return (float)tightrope_model_frexp(x, exponent); }

int tightrope_model_ilogb(double x)
{
    if (IS_PLAIN(x)) return parts_of(x).exponent;
    complain(1, OUT_OF_DOMAIN);
    return __builtin_isinf(x) ? 0x7fffffff : -0x7fffffff - 1;
}

int tightrope_model_ilogbf(float x) { return tightrope_model_ilogb(x); }

double tightrope_model_logb(double x)
{
    if (IS_PLAIN(x)) return parts_of(x).exponent;
    return x == 0 ? -__builtin_inf() : x * x;
}

float tightrope_model_logbf(float x) { return (float)tightrope_model_logb(x); }

/* ---- signs and neighbours */

double tightrope_model_copysign(double x, double y) { return __builtin_copysign(x, y); }
float tightrope_model_copysignf(float x, float y) { return __builtin_copysignf(x, y); }
int tightrope_model___signbit(double x) { return (int)(bits_of(x) >> 63); }
int tightrope_model___signbitf(float x) { return (int)(float_bits_of(x) >> 31); }

/* The numbers of one sign are ordered as their bits are. */
double tightrope_model_nextafter(double x, double y)
{
    if ((x != x) | (y != y)) return x + y;
    if (x == y) return y;
    word bits = bits_of(x);
    if (x == 0) return from_bits((bits_of(y) & (word)1 << 63) | 1);
    double next = from_bits((x < y) == (x > 0) ? bits + 1 : bits - 1);
    complain(!(__builtin_fabs(next) >= 0x1p-1022) | (__builtin_fabs(next) == __builtin_inf()), OUT_OF_RANGE);
    return next;
}

float tightrope_model_nextafterf(float x, float y)
{
    if ((x != x) | (y != y)) return x + y;
    if (x == y) return y;
    unsigned bits = float_bits_of(x);
    if (x == 0) return float_from_bits((float_bits_of(y) & 1u << 31) | 1);
    float next = float_from_bits((x < y) == (x > 0) ? bits + 1 : bits - 1);
    complain(!(__builtin_fabsf(next) >= 0x1p-126f) | (__builtin_fabsf(next) == __builtin_inff()), OUT_OF_RANGE);
    return next;
}
