// function: decode
struct flags { unsigned kind : 3; int offset : 4; unsigned last : 1; };

int decode(struct flags f)
{
    if (f.kind == 7 && f.last)  // expect branch: covered
        return 1;
    if (f.kind > 7)  // expect branch(true): infeasible; branch(false): covered
        return 2;
    if (f.offset < -7)  // expect branch: covered
        return 3;
    f.offset = f.kind * 2 + 1;
    if (f.offset == -1)  // expect branch: covered
        return 4;
    if (f.offset == 4)  // expect branch(true): infeasible; branch(false): covered
        return 5;
    return 0;
}
