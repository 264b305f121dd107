// function: count
struct message {
    unsigned length;
    char data[];
};
int count(const struct message *m)
{
    int n = 0;
    if (m == 0)
        return -1;
    for (unsigned i = 0; i < m->length; i++)
        n += m->data[i] == 'x';
    if (n == 3) // expect branch: covered
        return 1;
    return 0;
}
