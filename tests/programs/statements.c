// function: count
#define SWAP(x, y) do { int t = x; x = y; y = t; } while (0)

int count(int a, int b, int c)
{
    if (a && (b || c)) return 1; else if (a && b) return 2;       // expect statement#4: infeasible
    if (b > c) SWAP(b, c);                                        // expect line: covered; statement: covered
    switch (c & 3) {
        int unused = 4;                                           // expect statement: infeasible
    case 0: case 1: b++; break;                                   // expect statement: covered; line: covered
    default: ;
    }
    for (int i = 0; i < 2; i++) if (i == 1) { b += i; continue; } // expect statement: covered
    while (0) a = 3;                                              // expect statement#2: infeasible
    return b;
    a = 4;                                                        // expect statement: infeasible
}
