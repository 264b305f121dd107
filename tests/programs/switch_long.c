// function: code
int code(long long value)
{
    switch (value) {
    case -1:  // expect branch(case -1): covered
        return 1;
    case 0x100000000:  // expect branch: covered
        return 2;
    case 'a':  // expect branch: covered
        return 3;
    default:  // expect branch: covered
        return 0;
    }
}
