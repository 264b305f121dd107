// function: stack
// Locals: before the start, at and past the end, far beyond, by index and by pointer.
int stack(int k, unsigned char i)
{
    int a[4] = {1, 2, 3, 4}, b[4] = {5, 6, 7, 8}, *p = a;
    switch (k) {
    case 1: return a[k - 2];  // expect outcome(read out of bounds): crashed
    case 2: a[k - 3] = 1; return b[0];  // expect outcome(write out of bounds): crashed
    case 3: return a[k + 1];  // expect outcome(read out of bounds): crashed
    case 4: a[k] = 1; return b[0];  // expect outcome(write out of bounds): crashed
    case 5: return a[k * 1000];  // expect outcome(read out of bounds): crashed
    case 6: b[k - 2 - 8] = 1; return a[0];  // expect outcome(write out of bounds): crashed
    case 7: return a[i];  // expect outcome(read out of bounds): crashed
    case 8: a[i] = 3; return b[i & 3];  // expect outcome(write out of bounds): crashed
    case 9: return a[i - 3];  // expect outcome(read out of bounds): crashed
    case 10:
        while (p < a + 4)
            p++;
        return *p;  // expect outcome(read out of bounds): crashed
    case 11:
        while (p >= a)
            p--;
        *p = 1;  // expect outcome(write out of bounds): crashed
        return b[0];
    case 12: p = a + 4; return p[-1] + (p - a);
    case 13: return *(short *)((char *)a + 15);  // expect outcome(read out of bounds): crashed
    case 14: return *(long long *)&a[3] == 0;  // expect outcome(read out of bounds): crashed
    }
    return a[k & 3];
}
