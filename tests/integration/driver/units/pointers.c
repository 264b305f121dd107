/* Arrays and pointers of all kinds. */
#include <stddef.h>
#define SIZE (1 << 2)
enum { ROWS = 2 };
typedef int triple[3];
typedef const char *text;
typedef int (*callback)(int);
typedef const int constant;
struct list { int value; struct list *next; };
struct opaque;
struct holder { const char *name; char *const fixed; void *any; callback call; struct { int hidden; } *secret; struct list *all[2]; };

int fixed_array(int a[5]) { a[0] = a[4]; return a[1] > a[2]; }
int static_array(int a[static SIZE], char b[const ROWS], double c[]) { return a[3] + b[1] + (c[0] > 0); }
int typedef_array(triple t, const triple u) { t[0] = u[2]; return t[1]; }
int matrix(int m[ROWS][3], const int (*n)[2]) { m[1][2] = (*n)[1]; return m[0][0]; }
const char *find(const char *s, char c) { return *s == c ? s : NULL; }
char *skip(char s[6], int n) { int i = 0; while (i < 5 && s[i] == ' ') i++; return n > 3 ? s + i : NULL; }
int deep(char **pp, char *const *qq, const char *const *rr, int ***ppp) { return **pp + **qq + **rr + (*ppp == NULL); }
int sum_list(const struct list *l) { int s = 0; while (l) { s ^= l->value; l = l->next; } return s; }
int hold(struct holder *h) { h->any = &h->name; h->name = NULL; return h->fixed[0] + (h->call == NULL) + h->all[1]->value; }
int opaque_one(struct opaque *o, callback c, text t, constant *k) { return (o == NULL) + (c == NULL) + t[0] + *k; }
void *any(void *p, const void *q) { return *(const char *)q ? p : (char *)p + 3; }
int qualified(volatile int *a, const volatile unsigned char *b, int *restrict c) { *a = 3; *c = *b; return *a; }
struct list *tail(struct list *l, int *out) { *out = 9; return l->next; }
