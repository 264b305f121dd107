// domain: v.z=-2..1
struct in { unsigned x : 2; signed z : 2; _Bool t; };
struct out { short sum; unsigned char kind[2]; };
static struct out make(struct in v)
{
    struct out o = {(short)(v.x + v.z), {v.t, 3}};
    v.x = 0;
    if (o.sum < 0)
        o.kind[1] = 9;
    return o;
}
int f(struct in v)
{
    struct out o = make(v), p = make((struct in){3, v.z, !v.t});
    if (o.kind[0] == p.kind[0])
        return 1;
    if (o.sum > p.sum)
        return 2;
    if (p.kind[1] == 9)
        return 3;
    return o.kind[1] == 9 && v.x == 1 && p.sum == 1;
}
