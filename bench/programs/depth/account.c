/* A year of an account, day by day: loops whose length and course depend on few numbers. */

#include <stdint.h>

enum { DAYS = 365 };

int run_year(int64_t balance, int32_t deposit, uint16_t rate, uint8_t day_of_fee)
{
    int overdrawn = 0;
    int64_t lowest = balance;
    if (rate > 2000 || deposit < -100000 || deposit > 100000 || balance < -1000000 || balance > 1000000)
        return -1;
    for (int day = 1; day <= DAYS; day++) {
        balance += deposit;
        if (day % 30 == 0)
            balance += balance * rate / 120000;
        if (day_of_fee != 0 && day % day_of_fee == 0)
            balance -= 50;
        if (balance < 0)
            overdrawn++;
        if (balance < lowest)
            lowest = balance;
    }
    if (overdrawn > 300 && balance > 100)
        return 1;
    if (overdrawn == 17)
        return 2;
    if (lowest >= 0 && balance == 777777)
        return 3;
    return balance > 20000000 ? 4 : 5;
}
