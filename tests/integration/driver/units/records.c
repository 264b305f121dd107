/* Structures and unions, by value, nested, with bit-fields, anonymous, returned. */
struct point { int x; short y; };
typedef struct { unsigned char red, green, blue; } rgb;
struct bits { int low : 3; unsigned middle : 5; unsigned : 0; _Bool on : 1; long long wide : 40; unsigned char byte : 8; };
union number { int whole; double real; unsigned char bytes[4]; };
struct nested {
    struct point corners[2];
    rgb color;
    struct { int inner_a; union { int choice_i; float choice_f; }; };
    struct { short deep; } named;
    union number value;
    const int fixed;
    char label[8];
    float matrix[2][3];
};
struct with_long_double { int a; long double b; __int128 c; };

struct point move(struct point p, int dx) { p.x = (int)((unsigned)p.x + (unsigned)dx); return p; }
rgb mix(rgb a, const rgb b) { rgb c = {a.red, b.green, (unsigned char)(a.blue / 2)}; return c; }
struct bits flip(struct bits b) { b.low = -1; b.on = !b.on; b.wide /= 2; return b; }
union number bump(union number u) { u.whole ^= 1; return u; }
struct nested rebuild(struct nested n) { n.inner_a = n.corners[1].x; n.label[0] = 'a'; n.matrix[1][2] = 1.5f; return n; }
int read_nested(struct nested *n, struct bits *b) { n->choice_i++; b->middle++; n->named.deep = 4; return n->fixed; }
int wide_members(struct with_long_double *w) { return w->b > 1 ? 1 : (w->c != 0) + w->a; }
struct with_long_double give_wide(int a) { struct with_long_double w = {a, 0, 0}; return w; }
int rows(struct point table[3], struct point (*again)[2]) { table[1].x = 4; return (*again)[1].x; }
