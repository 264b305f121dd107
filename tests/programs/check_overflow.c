// function: over
// options: --check overflow
// Signed arithmetic that does not fit ends the run where it was asked to; unsigned arithmetic never does.
int over(int n, int a, int b, long m, unsigned u, short s, signed char c)
{
    int r = 0;
    u = u * 7u + (unsigned)a - 3u;
    switch (n) {
    case 1: r = a + b; break;  // expect outcome(signed overflow): crashed
    case 2: r = a - b; break;  // expect outcome(signed overflow): crashed
    case 3: r = a * b; break;  // expect outcome(signed overflow): crashed
    case 4: r = -a; break;  // expect outcome(signed overflow): crashed
    case 5: r = a++; break;  // expect outcome(signed overflow): crashed
    case 6: r = --a; break;  // expect outcome(signed overflow): crashed
    case 7: r = 100 - a; break;  // expect outcome(signed overflow): crashed
    case 8: r = -100 - a; break;  // expect outcome(signed overflow): crashed
    case 9: r = a * -3; break;  // expect outcome(signed overflow): crashed
    case 10: m = m * 10; break;  // expect outcome(signed overflow): crashed
    case 11: m -= a; break;  // expect outcome(signed overflow): crashed
    case 12: m *= a; break;  // expect outcome(signed overflow): crashed
    case 13: s += a; s++; c--; break;  // expect outcome(signed overflow): crashed
    case 14: s++; c -= s; r = s * c; break;
    case 15: r = (int)((long)a * b + c); break;
    case 16: r = a << b; r = 1 << c; break;
    }
    return r > 3 && m != 2 && u != 1 && s;
}
