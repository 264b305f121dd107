// function: check
// options: --stub-writes convert=none
// A stub that writes nothing changes nothing, but the function that it stands for may write where it is given a pointer.
extern int convert(const char *text, int *value);
extern int look(const int *value);

int check(int n)
{
    int value = n;
    if (look(&value) < 0) // expect branch: covered
        return -2;
    if (n == 100 && convert("a", &value) != 0)
        return -1;
    if (value > 5 && n < 3) // expect branch#2(true): unknown
        return 1;
    return 0;
}
