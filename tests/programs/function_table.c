// function: dispatch
static int add(int a, int b) { return a + b; }
static int subtract(int a, int b) { return a - b; }
static int larger(int a, int b) { return a > b ? a : b; }

static int (*const operations[3])(int, int) = {add, subtract, larger};

int dispatch(unsigned operation, int a, int b)
{
    if (operation > 2)  // expect branch: covered
        return 0;
    int result = operations[operation](a, b);
    if (result == 42)  // expect branch: covered
        return 1;
    if (operation == 2 && result == b)  // expect branch: covered
        return 2;
    return result;
}
