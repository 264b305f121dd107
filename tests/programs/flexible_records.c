// function: find
// options: --input 'table->rows = array 3'
struct row { short key; short value; };
struct table {
    int used;
    struct row rows[];
};
int find(const struct table *table, short key)
{
    for (int i = 0; i < 3; i++)
        if (table->rows[i].key == key && table->rows[i].value == 7 + i) // expect branch: covered
            return i;
    return -1;
}
