/* Where a ray meets a sphere: a quadratic equation in doubles. */

struct vector {
    double x, y, z;
};

enum hit { MISS, TOUCH, BEHIND, INSIDE, AHEAD, DEGENERATE };

static double dot(const struct vector *a, const struct vector *b)
{
    return a->x * b->x + a->y * b->y + a->z * b->z;
}

enum hit meet(struct vector start, struct vector direction, struct vector center, double radius)
{
    double length = dot(&direction, &direction);
    if (!(length > 1e-6 && length < 1e6) || !(radius > 1e-3 && radius < 1e3))
        return DEGENERATE;
    struct vector away = {start.x - center.x, start.y - center.y, start.z - center.z};
    double half = dot(&away, &direction);
    double rest = dot(&away, &away) - radius * radius;
    double discriminant = half * half - length * rest;
    if (discriminant < 0.0)
        return MISS;
    if (discriminant < 1e-3 * length && half < 0.0)
        return TOUCH;
    if (rest < 0.0)
        return INSIDE;
    if (half > 0.0)
        return BEHIND;
    return AHEAD;
}
