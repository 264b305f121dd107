// function: count
// More calls than answers: the last one is given again, and nothing is proved by that.
extern int next_byte(void);

int count(int wanted)
{
    int found = 0;
    for (int i = 0; i < 6; i++) // expect branch: covered
        if (next_byte() == wanted + i)
            found++;
    if (found == 6) // expect branch(true): unknown
        return 1;
    return 0;
}
