// function: limit
// The comparison of addresses in a type-safe `min`, as Linux has it: two locals are never at the same place. Behind
// `other`, it is the same local. Of `&_x == &_y`, the compiler itself says that it is false.
#define min(x, y) ({ typeof(x) _x = (x), *_p = &_x; typeof(y) _y = (y), *_q = &_y; (void)(_p == _q); _x < _y ? _x : _y; })
int limit(unsigned a, unsigned b, int which)
{
    unsigned c = min(a, b);                     // expect mcdc#1(true): infeasible; mcdc#1(false): covered; mcdc#2: covered
    unsigned *other = which ? &c : &b;
    if (other == &c && c > 5)                   // expect mcdc: covered
        return 1;
    return (int)c;
}
