// function: tail
// options: --input '*word = member first'
union word { unsigned first; unsigned char bytes[8]; };
int tail(const union word *word)
{
    if (word->bytes[6] == 9)  // expect branch(true): unknown
        return 1;
    return 0;
}
