// function: choose
// Whether equal literals are one object is the compiler's choice: nothing is proved about their addresses.
int choose(int kind)
{
    const char *name = kind > 3 ? "none" : "some";  // expect branch: covered
    if (kind > 3 && name != "none")  // expect branch#2(true): unknown
        return 1;
    if (name == "nobody")  // expect branch(true): unknown
        return 2;
    return 0;
}
