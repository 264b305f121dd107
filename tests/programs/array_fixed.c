// function: third
// options: --input 'values = array 3, not-null'
int third(const short *values, int at)
{
    if (at < 0 || at > 2)  // expect branch: covered
        return 0;
    if (values[at] == 1234)
        return at + 1;
    return 0;
}
