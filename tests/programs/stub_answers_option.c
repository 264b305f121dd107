// function: count
// options: --answers 6
// With an answer for every call, there is.
extern int next_byte(void);

int count(int wanted)
{
    int found = 0;
    for (int i = 0; i < 6; i++) // expect branch: covered
        if (next_byte() == wanted + i)
            found++;
    if (found == 6)
        return 1;
    return 0;
}
