// function: change
static const int table[4] = {1, 2, 3, 4};

int change(int k, unsigned char i)
{
    char *text = "abc";
    if (k == 1)
        text[1] = 'x';  // expect outcome(write to a constant): crashed
    if (k == 2)
        ((int *)table)[i & 3] = 1;  // expect outcome(write to a constant): crashed
    return text[1] + table[i & 3] == 100;
}
