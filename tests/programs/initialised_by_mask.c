// function: masked
// A value that nothing has written, masked away by an input: only where it shows is its use an error.
int masked(unsigned mask, int mode)
{
    unsigned word, kept = mode ? 0u : mask;
    if ((word & kept) == 0)  // expect branch(true): covered; branch(false): unknown; outcome(use of an uninitialised value: nothing has written `word`): crashed
        return 1;
    return 2;
}
