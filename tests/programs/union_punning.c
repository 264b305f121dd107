// function: classify
#include <stdint.h>

union word { uint32_t whole; uint8_t bytes[4]; uint16_t halves[2]; float number; };

int classify(union word w)
{
    if (w.bytes[3] == 0x3f && w.halves[0] == 0) {  // expect branch: covered
        if (w.number == 1.0f)  // expect branch: covered
            return 1;
        return 2;
    }
    w.bytes[0] = 0;
    if ((w.whole & 0xff) != 0)  // expect branch(true): infeasible; branch(false): covered
        return 3;
    return 0;
}
