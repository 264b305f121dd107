// function: settle
#define likely(x) __builtin_expect(!!(x), 1)

int settle(unsigned char a, unsigned char b, _Bool fast)
{
    int steps = fast ? 4 : 1;  // expect branch: covered
    int n = 0;
    while (a > 250 && n++ < steps)  // expect branch#1: covered; branch#2: covered
        a++;  // wraps round to 0
    for (int i = 0; i < 3 && (b & 1 || i == 5); i++)  // expect branch#1: covered; branch#2: covered; branch#3(true): infeasible; branch#3(false): covered
        n++;
    if (likely(a < 9 && b))  // expect branch#1: covered; branch#2: covered
        n += n > 3 ? 10 : 20;  // expect branch: covered
    return n;
}
