// function: through_const
// `const` does not protect from a write through the other one.
int through_const(const char *text, unsigned *count)
{
    char before = text[0];
    *count = 0x41414141u;
    if (text[0] != before)  // expect branch(true): unknown
        return 1;
    return 0;
}
