// function: read_value
// options: --input '*value = member pointer'
union value { long number; const int *pointer; };
int read_value(const union value *value)
{
    if (!value->pointer)  // expect branch: covered
        return -1;
    if (*value->pointer == 3)
        return 1;
    return 0;
}
