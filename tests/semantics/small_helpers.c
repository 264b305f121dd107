/* Functions that random ones call (small_functions.py): each with its name, and a call of it over {v} and {w}. What is
   ‹plain|twin› differs between what is tested and what judges it. */

// clip: clip({v})
static int clip(int x) { if (x > 6) return 6; if (x < -2) return -2; return x; }

// down: down({v} & 7)
static int down(int x) { return x <= 0 ? 1 : x + down(x - 2); }

// even: even({v} & 7)
static int odd(unsigned x);
static int even(unsigned x) { return x == 0 ? 1 : odd(x - 1); }
static int odd(unsigned x) { if (x == 0) return 0; return even(x - 1); }

// swap: less({v}, {w})
static void swap(int *x, int *y) { int old = *x; *x = *y; *y = old; }
static int less(int x, int y) { if (x > y) swap(&x, &y); return 3 * x - y; }

// look: look({v})
static const signed char table[8] = {3, -1, 4, 1, -5, 0, 2, -6};
static int look(int x) { return table[x & 7]; }

// sum: sums({v}, {w})
static int sum(const int *from, int count) { int all = 0; while (count-- > 0) all += *from++; return all; }
static int sums(int x, int y) { int box[3] = {x, y}; box[2] = x & y; return sum(box, y & 3); }

// half: half({v})
static int half(int x) { double d = (x & 15) / 4.0; if (d > 2.25) d -= 1.5; return (int)(d * 2); }

// mean: mean({v}, {w})
static int mean(int x, int y) { float m = (float)x + 0.5f * (float)y; return m < 1.0f; }

// nan: nan_of({v})
static int nan_of(int x) { double z = x & 1, q = z / z; return q == q ? 1 : q != q ? 2 : 3; }

// bits: bits({v})
static int bits(unsigned x) { int n = 0; for (x &= 31; x; x &= x - 1) n++; return n; }

// pun: pun({v}, {w})
union pun { unsigned char byte[4]; unsigned word; short half[2]; };
static int pun(int x, int y) { union pun u; u.word = 0x01020304u * (x & 3); u.byte[y & 3] ^= 5;
    return u.half[1] & 15; }

// field: field({v})
struct fields { unsigned lo : 3; signed hi : 3; unsigned : 0; unsigned char rest; };
static int field(int x) { struct fields v = {0}; v.lo = x; v.hi = x >> 1; v.rest = x; v.lo += 3;
    return v.lo * 4 + v.hi - (v.rest & 1); }

// block: block({v}, {w})
static int block(int x, int y) { int *m = ‹malloc|twin_malloc›(3 * sizeof *m); if (!m) return -1;
    m[0] = x; m[1] = y; m[2] = x ^ y; int r = m[(x & 1) + (y & 1)]; free(m); return r; }

// zeros: zeros({v})
static int zeros(int x) { char *m = ‹calloc|twin_calloc›(4, 1); if (!m) return 0; m[x & 3] = 1; int r = m[1] + m[2]; free(m); return r; }

// copy: copied({v}, {w})
struct pair { short x, y; };
static int copied(int x, int y) { struct pair a = {x, y}, b, c[2]; memcpy(&b, &a, sizeof b);
    memset(c, 0, sizeof c); c[x & 1] = b; b.x++; return c[0].x + 2 * c[1].y + b.x; }

// text: text({v})
static int text(int x) { char t[4] = "ab"; t[x & 3] = x & 4 ? 0 : 'c'; t[3] = 0; return (int)strlen(t) + (strcmp(t, "ac") == 0); }

// way: way({v}, {w})
static int plus(int x) { return x + 2; }
static int minus(int x) { return x - 2; }
static int zero(int x) { return x ? 0 : 5; }
static int (*const ways[4])(int) = {plus, minus, zero, minus};
static int way(int x, int y) { return ways[x & 3](y); }

// fall: fall({v})
static int fall(int x) { int r = 0; switch (x & 7) { case 1: r++; case 2: r += 2; break; case 5: return 9; default: r = -1; case 6: r++; } return r; }

// wide: wide({v}, {w})
static int wide(int x, int y) { unsigned long long p = (unsigned long long)x * y; long q = (long)x << 33 >> 32; return (int)(p >> 32) + (int)q; }

// stop: stop({v})
static int stop(int x) { if (x == 5) ‹abort()|twin_leave()›; return x & 3; }

// leave: leave({v})
static int leave(int x) { if (x < -3) ‹exit(3)|twin_leave()›; return x / 2; }

// sure: sure({v})
static int sure(int x) { ‹assert(x != 7)|if (x == 7) twin_leave()›; return x + 1; }

// state: step({v})
static int state;
static int step(int x) { state = (state + x) & 3; return state; }

// remainder: remain({v}, {w})
static int remain(int x, int y) { return x % ‹|twin_divisor(›(y & 3)‹|)› + x / 3; }
