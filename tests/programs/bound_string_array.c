// function: count
int count(const char *const *words)
{
    int number = 0;
    while (words[number])
        number++;
    if (number > 10)  // expect branch(true): unknown
        return 1;
    return 0;
}
