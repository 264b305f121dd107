// function: is_real
#include <complex.h>

int is_real(double _Complex number)  // expect refused: _Complex
{
    return cimag(number) == 0;
}
