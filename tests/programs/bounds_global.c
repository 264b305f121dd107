// function: global
// Globals: a gap lies behind each, and what skips it is held to the object that it started from.
static int first[4], second[4];
static char words[2][8] = {"red", "green"};

int global(int k, unsigned char i)
{
    switch (k) {
    case 1: return first[k - 2];  // expect outcome(read out of bounds): crashed
    case 2: second[k - 3] = 1; return 1;  // expect outcome(write out of bounds): crashed
    case 3: return first[k + 1];  // expect outcome(read out of bounds): crashed
    case 4: second[k] = 1; return 1;  // expect outcome(write out of bounds): crashed
    case 5: return first[k * 7];  // expect outcome(read out of bounds): crashed
    case 6: return first[k * 6];  // expect outcome(read out of bounds): crashed
    case 7: return second[k * 1000000];  // expect outcome(read out of bounds): crashed
    case 8: first[i] = 1; return 2;  // expect outcome(write out of bounds): crashed
    case 9: return words[0][8];
    case 10: return words[k - 9][k - 2];  // expect outcome(read out of bounds): crashed
    case 11: *(first + k - 11 + (&second[0] - &first[0])) = 3; return 1;  // expect outcome(write out of bounds): crashed
    }
    return first[k & 3] > 3;
}
