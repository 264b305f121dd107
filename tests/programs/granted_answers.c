// function: locale
/* What the library answers in another locale, with another rounding mode or beside other threads is no input: the
   report lists it as an assumption. State that it keeps forbids proofs. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>

int locale(unsigned char letter)
{
    if (isalpha(letter) && letter > 128)  // expect branch#1: covered; branch#2(true): infeasible; branch#2(false): covered
        return 1;
    if (MB_CUR_MAX > 1)  // expect branch(true): infeasible; branch(false): covered
        return 2;
    if (rint(2.5) == 3.0)  // expect branch(true): infeasible; branch(false): covered
        return 3;
    return 0;
}
