// function: trace_of
typedef int matrix[2][2];
int trace_of(matrix m)
{
    if (m[0][0] + m[1][1] == 9)  // expect branch: covered
        return 1;
    return m[1][0] > 3 ? 2 : 0;
}
