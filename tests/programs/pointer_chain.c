// function: deep
int deep(int ***place)
{
    if (!place || !*place || !**place)  // expect branch: covered
        return -1;
    return ***place == 3;
}
