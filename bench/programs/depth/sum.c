/* 1,000 samples: their sum, their spread, and how many are too large. */

#include <stdint.h>

enum { SAMPLES = 1000 };

struct samples {
    int16_t at[SAMPLES];
};

int judge(const struct samples *samples)
{
    int32_t sum = 0;
    int over = 0;
    int64_t squares = 0;
    for (int i = 0; i < SAMPLES; i++) {
        sum += samples->at[i];
        squares += (int32_t)samples->at[i] * samples->at[i];
        if (samples->at[i] > 20000)
            over++;
    }
    if (over > 600)
        return 1;
    if (sum > 1000000)
        return over > 40 ? 2 : 3;
    if (sum < -5000000)
        return 4;
    if (squares > 400000000000LL && sum > -1000 && sum < 1000)
        return 5;
    return sum == 123456 ? 6 : 0;
}
