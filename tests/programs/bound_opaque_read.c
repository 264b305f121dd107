// function: peek
// What is behind a pointer to a type that is only declared can be anything.
struct handle;
int peek(const struct handle *handle, int x)
{
    int tag = *(const int *)(const void *)handle;
    if (x > 3 && x == tag)  // expect branch#2(true): unknown
        return 1;
    return 0;
}
