// function: peek
// A caller may leave anything in the padding of a struct that it passes; tests pass zeros, which is an assumption.
struct item { char kind; int value; };
int peek(struct item item)
{
    if (((unsigned char *)&item)[1] == 5)  // expect branch(true): infeasible; branch(false): covered
        return 1;
    return item.value;
}
