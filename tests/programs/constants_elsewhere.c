// function: check
// Constants of other files are inputs.
struct limits {
    int low;
    const int high;
};

extern const int offset;
extern const struct limits limits;
extern const unsigned char table[];
extern const char *const title;

int check(int n)
{
    if (n + offset < limits.low || n + offset > limits.high) // expect branch: covered
        return -1;
    if (table[n & 3] == 77)
        return 1;
    if (title && title[0] == 'x')
        return 2;
    return 0;
}
