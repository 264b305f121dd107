// function: twice
// clang copies a volatile structure by a call of memcpy, not by loads: the two copies may differ.
struct registers { int control; int status; int data[40]; };
volatile struct registers device;
int twice(int at)
{
    struct registers first, second;
    first = device;
    second = device;
    if (first.data[at & 7] != second.data[at & 7])  // expect branch(true): unknown
        return 1;
    return at;
}
