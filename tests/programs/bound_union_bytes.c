// function: tail
// The member that is given values is the largest one; padding behind a smaller one is still reached.
union word { unsigned char bytes[8]; unsigned first; };
int tail(const union word *word)
{
    if (word->first == 7 && word->bytes[6] == 9)  // expect branch: covered
        return 1;
    return 0;
}
