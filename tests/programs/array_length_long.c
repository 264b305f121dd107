// function: is_huge
// A length above the number of elements that we give is tried last, but it is tried.
int is_huge(const unsigned char *data, unsigned length)
{
    if (length > 1000)  // expect branch: covered
        return 1;
    if (length > 2 && data[2] == 'x')
        return 2;
    return 0;
}
