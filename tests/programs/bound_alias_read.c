// function: are_one
// Two pointers to one type may lead to one object.
int are_one(const int *a, const int *b)
{
    if (a && a == b)  // expect branch: covered
        return 1;
    return 0;
}
