// function: after
// The address of a local is kept after its function returned.
static int *kept;

static int *leak(int a)
{
    int cells[4] = {a, 2, 3, 4};
    kept = cells;
    return &kept[a & 3];
}

static int live(int *p) { return *p; }

int after(int k)
{
    int own = k, *p = leak(k);
    if (k == 1)
        return *p;  // expect outcome(use of a local variable whose function has returned): crashed
    if (k == 2)
        *p = 3;  // expect outcome(use of a local variable whose function has returned): crashed
    if (k == 3)
        return live(&own);
    return 0;
}
