/* Every scalar type as parameter and result. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum color { RED, GREEN = 5, BLUE };
typedef enum { FLAG_A = 1, FLAG_B = 2, FLAG_C = 4 } flag_set;
enum negative { LOW = -3, HIGH = 2000000000 };

signed char take_signed_char(signed char a) { return (signed char)(a / 2); }
unsigned char take_unsigned_char(unsigned char a) { return (unsigned char)(a >> 1); }
char take_char(char a) { return a == 'x' ? 'y' : a; }
short take_short(short a) { return (short)-a; }
unsigned short take_unsigned_short(unsigned short a) { return (unsigned short)(a * 2u); }
int take_int(int a) { return a ^ 1; }
unsigned take_unsigned(unsigned a) { return a + 1u; }
long take_long(long a) { return a ^ 7; }
unsigned long take_unsigned_long(unsigned long a) { return a * 3; }
long long take_long_long(long long a) { return a ^ -1; }
unsigned long long take_unsigned_long_long(unsigned long long a) { return a * 5; }
_Bool take_bool(_Bool a, bool b) { return a && !b; }
float take_float(float a) { return a; }
double take_double(double a, float b) { return a > b ? a : b; }
enum color take_enum(enum color a) { return a == RED ? BLUE : a; }
flag_set take_flags(flag_set a) { return (flag_set)(a | FLAG_B); }
enum negative take_negative(enum negative a) { return a; }
int take_const(const int a, const volatile int b, register int c) { return a < b ? c : a; }
size_t take_sizes(size_t a, ptrdiff_t b, intptr_t c, uint8_t d, int64_t e) { return a + (size_t)b + (size_t)c + d + (size_t)e; }
void take_nothing(void) {}
int take_wide(long double a, __int128 b, int c) { return a > 1 || b > 1 ? 1 : c; }
