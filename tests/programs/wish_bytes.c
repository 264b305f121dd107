// function: f
struct header { unsigned short kind, size; };
struct body { int a, b; };
/* What follows the header is in the same buffer.
 * tightrope: h = not-null, bytes 12
 */
int f(const struct header *h)
{
    if (h->kind != 3) // expect branch: covered
        return 0;
    const struct body *body = (const struct body *)(h + 1);
    if (body->b == 77)
        return 2;
    return 1;
}
