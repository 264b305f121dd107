// function: check
struct limits { const int low; const int high; const char *const name; };
int check(const struct limits *limits, int value)
{
    if (value < limits->low || value > limits->high)  // expect branch: covered
        return -1;
    return limits->name && limits->name[0] == 'x';
}
