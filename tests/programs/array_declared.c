// function: last_of_row
#define WIDTH 5
int last_of_row(int row[WIDTH])
{
    if (row[4] == 3 && row[0] == 4)  // expect branch: covered
        return 1;
    return 0;
}
