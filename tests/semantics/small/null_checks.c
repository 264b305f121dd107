// assume: !s || s->kind < 3
// domain: s->kind=0..2
// unknown: shape runs_died
/* Behind a read through a pointer, it is no longer NULL. */
struct item { unsigned char kind; };
int f(struct item *s, _Bool deep)
{
    if (deep && !s)
        return -1;
    int kind = s ? s->kind : 7;
    if (!s && kind != 7)
        return 1;
    if (deep && kind == 7)
        return 2;
    if (kind == 7)
        return 4;
    int again = s->kind;
    if (!s)
        return 5;
    return again == 1;
}
