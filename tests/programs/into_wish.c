// function: distance
// options: --input 'at = into table'
int distance(const int *table, const int *at)
{
    if (at - table == 5)  // expect branch: covered
        return 1;
    if (at == table)
        return 2;
    return 0;
}
