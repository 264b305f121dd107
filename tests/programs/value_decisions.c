// function: judge
#include <stdbool.h>

int limit(int above);

bool judge(unsigned flags, int level, int last)
{
    bool same = level == last;                // expect mcdc: covered; decision: covered
    bool ready = flags & 4;                   // expect mcdc: covered; decision: covered
    int above = limit(level > 5);             // expect mcdc: covered; decision: covered
    above += !ready;                          // expect mcdc: covered; decision: covered
    bool other = same;
    unsigned low = flags & 3;
    bool never = low > 3;                     // expect mcdc(true): infeasible; decision(true): infeasible
    return other != never && above < 3;       // expect mcdc#2(pair): infeasible; decision: covered
}
