// function: grow
/* Where the stub writes is a choice of the input, and whether there is room for so much depends on an input: both are part
   of the path, or runs leave the one that was predicted. */
extern void *resize(void *block, int count);
extern int *table, *spare;

int grow(int wanted, int from)
{
    int *old = from ? table : spare;
    if (wanted < 3)
        return 0;
    int *block = resize(old, wanted);
    if (block && block[0] == wanted) // expect branch: covered
        return 1;
    if (old && old[0] == 7)           // expect branch: covered
        return 2;
    return 3;
}
