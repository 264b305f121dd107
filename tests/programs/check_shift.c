// function: shifted
// options: --check shift
int shifted(int n, int a, int b, unsigned u, unsigned long m, unsigned char c)
{
    switch (n) {
    case 1: return 1 << a;  // expect outcome(shift by a negative number or by too many bits): crashed
    case 2: return b >> a;  // expect outcome(shift by a negative number or by too many bits): crashed
    case 3: return (int)(u >> c);  // expect outcome(shift by a negative number or by too many bits): crashed
    case 4: m <<= c; return m == 8;  // expect outcome(shift by a negative number or by too many bits): crashed
    case 5: return u << (c & 31) == 4;
    case 6: return a + b;
    case 7: return u << 31 == 0;
    }
    return 0;
}
