// function: f
// options: --input 'box = not-null, bytes 8'
struct box; /* only declared */
static int second(const struct box *box) { return ((const int *)box)[1]; }
int f(const struct box *box)
{
    if (second(box) == 77) // expect branch: covered
        return 1;
    return 0;
}
