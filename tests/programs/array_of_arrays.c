// function: magic
int magic(const int square[3][3])
{
    int first = square[0][0] + square[0][1] + square[0][2];
    if (first == 15 && square[1][1] == 5)  // expect branch: covered
        return 1;
    return 0;
}
