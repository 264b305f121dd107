// function: is_large
// A name that starts with an underscore need not belong to the C library; nobody defined this one.
extern const unsigned char _lengths[];

int length(int i)
{
    return _lengths[i];
}

int is_large(int a)
{
    if (a > 3)
        return 1;
    return 0;
}
