// function: are_one
// Two pointers may lead to one object.
int are_one(int *a, int *b)
{
    *a = 1;
    *b = 2;
    if (*a == 2)  // expect branch: covered
        return 1;
    return 0;
}
