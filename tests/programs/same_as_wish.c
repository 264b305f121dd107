// function: add_into
// options: --input 'to = same-as from'
int add_into(int *to, const int *from)
{
    *to += 1;
    if (*to == *from)  // expect branch(true): covered; branch(false): unknown
        return 1;
    return 0;
}
