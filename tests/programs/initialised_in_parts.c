// function: parts
// What is right stays clean: members and bit-fields set one by one, structs copied before all of them are set, arrays
// filled up to a length, unions, values that are chosen but not used.
#include <string.h>
struct flags { unsigned ready : 1, mode : 3, count : 12; };
struct point { char tag; int x, y; };
union word { int whole; char bytes[4]; };
static int first(struct point p) { return p.x; }
static void fill(int *to, int n) { for (int i = 0; i < n; i++) to[i] = i * i; }
int parts(int a, int n)
{
    struct flags f;
    f.ready = a > 3;
    f.mode = a & 7;
    if (f.ready && f.mode == 5)  // expect branch: covered
        return 1;
    struct point p, q;
    p.x = a;
    q = p;
    if (q.x == 22 && first(q) == 22)  // expect branch#1: covered; branch#2(true): covered; branch#2(false): infeasible
        return 2;
    int squares[8];
    if (n < 0 || n > 8)  // expect branch: covered
        return 3;
    fill(squares, n);
    if (a >= 0 && a < n && squares[a] == 9)  // expect branch: covered
        return 4;
    union word w;
    memcpy(w.bytes, &a, 4);
    if (w.whole == 1000)  // expect branch: covered
        return 5;
    int chosen, is_chosen = 0;
    if (a == -7) {  // expect branch: covered
        chosen = n;
        is_chosen = 1;
    }
    int kept = chosen;
    if (is_chosen && kept == 2)  // expect branch: covered
        return 6;
    return 0;
}
