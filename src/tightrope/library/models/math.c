/* Models of the functions of <math.h> that are exact and short; what maps to one operation of the
 * expression language (sqrt, floor ...) is not here but in library/table.py. */

long tightrope_model_lround(double x) { return (long)__builtin_round(x); }
long tightrope_model_lroundf(float x) { return (long)__builtin_roundf(x); }
long long tightrope_model_llround(double x) { return (long long)__builtin_round(x); }
long long tightrope_model_llroundf(float x) { return (long long)__builtin_roundf(x); }
long tightrope_model_lrint(double x) { return (long)__builtin_rint(x); }
long tightrope_model_lrintf(float x) { return (long)__builtin_rintf(x); }
long long tightrope_model_llrint(double x) { return (long long)__builtin_rint(x); }
long long tightrope_model_llrintf(float x) { return (long long)__builtin_rintf(x); }

double tightrope_model_fdim(double x, double y) { return x <= y ? 0.0 : x - y; }
float tightrope_model_fdimf(float x, float y) { return x <= y ? 0.0f : x - y; }

double tightrope_model_modf(double x, double *whole)
{
    *whole = __builtin_trunc(x);
    return __builtin_copysign(__builtin_isinf(x) ? 0.0 : x - *whole, x);
}

float tightrope_model_modff(float x, float *whole)
{
    *whole = __builtin_truncf(x);
    return __builtin_copysignf(__builtin_isinf(x) ? 0.0f : x - *whole, x);
}

/* What the classification macros become with other headers and compilers. */

int tightrope_model___isnan(double x) { return x != x; }
int tightrope_model___isnanf(float x) { return x != x; }
int tightrope_model_isnan(double x) { return x != x; }
int tightrope_model___isinf(double x) { return (x == __builtin_inf()) - (x == -__builtin_inf()); }
int tightrope_model___isinff(float x) { return (x == __builtin_inff()) - (x == -__builtin_inff()); }
int tightrope_model_isinf(double x) { return (x == __builtin_inf()) - (x == -__builtin_inf()); }
int tightrope_model___finite(double x) { return __builtin_fabs(x) < __builtin_inf(); }
int tightrope_model___finitef(float x) { return __builtin_fabsf(x) < __builtin_inff(); }
int tightrope_model_finite(double x) { return __builtin_fabs(x) < __builtin_inf(); }
int tightrope_model___fpclassify(double x) { return __builtin_fpclassify(0, 1, 4, 3, 2, x); }
int tightrope_model___fpclassifyf(float x) { return __builtin_fpclassify(0, 1, 4, 3, 2, x); }
