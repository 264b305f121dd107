// function: f
union value { int number; unsigned char bytes[4]; float real; };
int f(union value v)
{
    // tightrope: v = member bytes
    if (v.bytes[0] == 1) // expect branch: covered
        return 1;
    if (v.bytes[3] == 4)
        return 2;
    return 0;
}
