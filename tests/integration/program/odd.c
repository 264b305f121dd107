#include <stdarg.h>
#include <stdatomic.h>
#include <setjmp.h>
#include <stdint.h>
#include <complex.h>
#include <string.h>
#include <stdio.h>
#include <stdlib.h>
typedef int v4 __attribute__((vector_size(16)));
typedef float f4 __attribute__((vector_size(16)));
struct big { long a,b,c; }; struct small { int x; char y; }; struct __attribute__((packed)) pk { char a; int b; short c; };
struct node { struct node *next; int v; struct small s[2]; }; struct opaque; union u { int i; float f; double d; };
struct bits { unsigned a:3; int b:5; unsigned long long c:40; _Bool d:1; unsigned:0; int e:7; };
static jmp_buf env; _Thread_local int tls = 3; __attribute__((weak)) int weak_global; int common_g; extern int elsewhere;
const char *words[] = {"a, !b", "c\"d", "} {", 0}; struct node list = { &list, 3, {{1,2},{3,4}} };
static int (*ops[])(int,int); static int add(int a,int b){return a+b;} static int sub(int a,int b){return a-b;}
static int (*ops[])(int,int) = {add, sub};
int alias_target(int x){ return x; } int alias(int x) __attribute__((alias("alias_target")));
int sw(int x){ switch(x){ case -1: return 1; case 0 ... 3: return 2; case 0x7fffffff: return 3; default: return 4; } }
int swb(_Bool b){ switch(b){case 0: return 3; case 1: return 4;} return 0; }
long swl(unsigned long long b){ switch(b){case 0xffffffffffffffffull: return 3; case 1: return 4;} return 0; }
int cgoto(int n){ static void *t[] = {&&a,&&b,&&c}; goto *t[n%3]; a: return 1; b: return 2; c: return 3; }
int va(int n, ...){ va_list ap; va_start(ap,n); int s=0; while(n--) s+=va_arg(ap,int); va_end(ap); return s; }
long double ld(long double x){ return x*2.5L+1; } __int128 i128(__int128 a, __int128 b){ return a*b+((__int128)1<<100); }
v4 vec(v4 a, v4 b){ v4 c = a*b+(v4){1,2,3,4}; c[2]=7; return __builtin_shufflevector(c,a,0,5,2,7) + (a>b); }
f4 vecf(f4 a, float s){ return a*s; }
int asm1(int x){ int r; __asm__ volatile ("movl %1, %0\n\taddl $1, %0 # , !x (" : "=r"(r) : "r"(x) : "cc","memory"); return r; }
int asmgoto(int x){ asm goto ("testl %0,%0; jne %l1" :: "r"(x) :: yes); return 0; yes: return 1; }
atomic_int ai; _Atomic long al; struct small gs;
int atom(int x){ atomic_fetch_add(&ai,x); int e=3; atomic_compare_exchange_strong(&ai,&e,x); atomic_thread_fence(memory_order_acquire); al += 3; return atomic_load_explicit(&ai,memory_order_relaxed); }
int sj(int x){ if(setjmp(env)) return 1; if(x) longjmp(env,1); return 0; }
struct big rb(struct big b, struct small s){ b.a += s.x; return b; } struct small rs(int x){ struct small s={x,1}; return s; }
int useby(struct big b){ struct big c = rb(b, rs(3)); return (int)c.a; }
int fp(int i,int (*f)(int,int)){ return f ? f(i,2) : ops[i&1](i,3); }
int bf(struct bits *b){ b->a = 3; b->b = -2; b->c++; b->d = 1; return b->b + b->e; }
int pkf(struct pk *p){ return p->b + p->c; }
double _Complex cx(double _Complex a){ return a*a; } float fl(float x, double y){ return -x + (float)y > 1e30f ? x : (float)(int)y; }
int vla(int n){ int a[n]; for(int i=0;i<n;i++) a[i]=i; return a[n-1]; }
char *strs(char *d){ strcpy(d, "hi"); memset(d,0,4); printf("%s %d, %f\n", d, 3, 2.0); return d; }
int kr(a,b) int a; char b; { return a+b; }
int unproto(); int callun(void){ return unproto(1,2.0); }
static inline __attribute__((always_inline)) int inl(int x){ return x > 3 ? x : 3; } int useinl(int y){ return inl(y)+inl(2); }
_Bool boo(int a,int b){ return a && !b || a > 3; } int tern(int a){ return a ? 1 : 2; }
volatile int vol; int volf(void){ vol = 3; return vol++; } int tlsf(void){ return tls++ + weak_global + common_g + elsewhere; }
_Noreturn void die(void){ abort(); } int u(int x){ if(x) die(); __builtin_unreachable(); }
unsigned reg(void){ register unsigned long sp __asm__("rsp"); __asm__("" : "=r"(sp)); return (unsigned)sp; }
register unsigned long gsp __asm__("rsp"); unsigned long regg(void){ return gsp; }
int addrs(void){ return (int)(long)&list.s[1].y + (&words[1] == 0) + ((char*)&elsewhere - (char*)0 > 5); }
int ov(int a,int b){ int r; if(__builtin_mul_overflow(a,b,&r)) return -1; return r + __builtin_clz(a) + __builtin_expect(a,0); }
_Float16 h(_Float16 a){ return a+a; }
__attribute__((section(".foo"))) int insec = 5; __attribute__((section(".text.x"),noinline,cold)) int fsec(void){ return 1; }
__asm__(".globl modasm\nmodasm: ret");
int stmt(int x){ return ({ int y = x; y*2; }); }
int callv(struct node *n){ int s=0; for(;n;n=n->next) s+=n->v; return s; }
int big_ret(struct pk p){ return p.a; } int dowhile(int n){ do { if(n==3) continue; n--; } while(n>0 && n!=7); return n; }
