// assume: a < 8 && kind < 4
// domain: a=0..7 kind=0..3
// unknown: shape
/* Functions in a struct and in a table, one of which is never called. */
typedef int (*op)(int);
struct handler { int weight; op run; };
static int total;
static int twice(int x) { return 2 * x; }
static int less(int x)
{
    total--;
    return x - 1;
}
static int never(int x) { return x / (x - 9); }
static struct handler handlers[3] = {{1, twice}, {2, less}, {3, twice}};
static int apply(struct handler *h, int x)
{
    if (!h || !h->run)
        return 0;
    return h->run(x) * h->weight;
}
int f(unsigned char a, unsigned char kind)
{
    total = 3;
    struct handler *h = kind < 3 ? &handlers[kind] : 0;
    int r = apply(h, a);
    if (total == 2 && r > 4)
        return 1;
    if (h && h->run == less)
        r += apply(h, 1);
    op other = a == 7 ? never : twice;
    r += other(kind);
    return r == 6 || (total == 1 && r < 0);
}
