// function: first_set
int first_set(void **slots)
{
    for (int at = 0; at < 3; at++)  // expect branch: covered
        if (slots[at])
            return at;
    return -1;
}
