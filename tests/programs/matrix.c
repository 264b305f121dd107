// function: cell
int cell(int board[2][3], unsigned row, unsigned column)
{
    if (row >= 2 || column >= 3)  // expect branch: covered
        return -1;
    if (board[row][column] == board[1 - row][0] + 5)  // expect branch: covered
        return 1;
    return 0;
}
