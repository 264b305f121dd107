// function: count
// A local of a block is new in each iteration.
int count(int n)
{
    int found = 0;
    for (int i = 0; i < n && i < 4; i++) {  // expect branch: covered
        int last;
        if (i == 0)  // expect branch: covered
            last = 7;
        if (n == 3 && last == 7)  // expect branch#1(true): unknown; branch#1(false): covered; branch#2(true): unknown; branch#2(false): unknown; outcome(use of an uninitialised value: nothing has written `last`): crashed
            found++;
    }
    return found;
}
