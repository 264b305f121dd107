// function: run_all
typedef int (*step)(int);
int run_all(const step steps[2], int value)
{
    for (int at = 0; at < 2; at++) {
        if (!steps[at])  // expect branch: covered
            return -1;
        value = steps[at](value);
        if (value == 5)
            return 1;
    }
    return value;
}
