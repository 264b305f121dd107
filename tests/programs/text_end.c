// function: length
int length(const char word[4])
{
    int n = 0;
    while (n < 4 && word[n] != '\0')  // expect branch: covered
        n++;
    if (n == 4)  // expect branch: covered
        return -1;
    return n;
}
