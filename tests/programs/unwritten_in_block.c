// function: skip
// What a local of a block holds before it is written is nothing that a test can check: the stub sees whatever is there.
int take(unsigned char *to, unsigned long count);

int skip(unsigned long count)
{
    if (count > 3) { // expect branch: covered
        unsigned char scratch[16];
        return take(scratch, 16) ? 1 : 2; // expect branch: covered
    }
    return 0;
}
