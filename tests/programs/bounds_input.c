// function: input
// What pointer parameters point to: the array, and the object that one parameter says is 32 elements long.
int input(int a[4], const int b[32], int k, unsigned char i)
{
    switch (k) {
    case 1: return a[k - 2];  // expect outcome(read out of bounds): crashed
    case 2: a[k - 3] = 1; return 1;  // expect outcome(write out of bounds): crashed
    case 3: return a[k + 1];  // expect outcome(read out of bounds): crashed
    case 4: a[k] = 1; return 1;  // expect outcome(write out of bounds): crashed
    case 5: return b[k + 27];  // expect outcome(read out of bounds): crashed
    case 6: return a[k * 1000];  // expect outcome(read out of bounds): crashed
    case 7: return a[i];  // expect outcome(read out of bounds): crashed
    case 8: a[i] = 1; return 2;  // expect outcome(write out of bounds): crashed
    case 9: return b[i];  // expect outcome(read out of bounds): crashed
    }
    return a[k & 3] > b[k & 31];
}
