/* Globals of all kinds. */
#include <stdio.h>
static int counter;
int shared = 7;
const int limit = 10;
extern int elsewhere;
extern const int constant_elsewhere;
extern struct pair { int a, b; } pair_elsewhere[];
static struct { int level; char name[4]; } state;
struct pair pairs[3] = {{1, 2}, {3, 4}};
static const char *message = "hello";
static int *cursor;
volatile unsigned char port;
double ratio = 0.5;
long big[200];
struct fixed_id { const int id; int value; } record;
struct fixed_id records[2];
static _Thread_local int per_thread;
_Bool ready;
enum mode { OFF, ON } mode;
union { int i; float f; } either;
struct pair *chosen = &pairs[1];
int table[2][3];
static int (*handler)(int);

int use_counter(int n) { counter += n; return counter > limit; }
static int bump(void) { return ++shared; }
int indirect(void) { return bump() + (message[0] == 'h'); }
int foreign(int i) { pair_elsewhere[1].a = i; return elsewhere + constant_elsewhere + pair_elsewhere[0].b; }
int use_state(char c) { state.name[1] = c; state.level++; return pairs[0].a + pairs[1].b; }
int use_cursor(void) { return cursor ? (*cursor)++ : -1; }
int use_port(void) { port |= 3; ratio = ratio * 2; return port; }
int use_big(void) { return big[3] > big[63] ? big[150] > 0 : 2; }
int use_record(void) { record.value = record.id; return records[1].id; }
int remember(void) { static int calls = 3; per_thread++; return ++calls; }
enum mode toggle(void) { ready = !ready; return mode == ON ? OFF : ON; }
int use_either(void) { either.i++; chosen->a = 3; table[1][2] = 4; if (handler) handler(1); return either.i; }
int say(int a) { fprintf(stderr, "%d\n", a); return a; }
