/* Models of fmod: a long division with few digits of quotient. In each step multiple <= rest < 2 * multiple, where
 * the difference of two floats is exact. For other quotients the library is called with the numbers of this run. */

double tightrope_native_fmod(double x, double y);
float tightrope_native_fmodf(float x, float y);

double tightrope_model_fmod(double x, double y)
{
    double rest = __builtin_fabs(x), step = __builtin_fabs(y);
    if (!((step > 0) & (rest < step * 16) & (rest < __builtin_inf()))) return tightrope_native_fmod(x, y);
    if (rest < step) return x;
    for (int multiple = 8; multiple > 0; multiple /= 2)
        if (rest >= step * multiple) rest -= step * multiple;
    return __builtin_copysign(rest, x);
}

float tightrope_model_fmodf(float x, float y)
{
    float rest = __builtin_fabsf(x), step = __builtin_fabsf(y);
    if (!((step > 0) & (rest < step * 16) & (rest < __builtin_inff()))) return tightrope_native_fmodf(x, y);
    if (rest < step) return x;
    for (int multiple = 8; multiple > 0; multiple /= 2)
        if (rest >= step * (float)multiple) rest -= step * (float)multiple;
    return __builtin_copysignf(rest, x);
}
