// function: for_each
typedef int visitor(int value, void *context);
int for_each(const int *values, int count, visitor *visit, void *context)
{
    for (int at = 0; at < count; at++)  // expect branch: covered
        if (visit(values[at], context))
            return at;
    return -1;
}
