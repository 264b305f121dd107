// function: heap
// Heap blocks, from malloc, calloc and realloc.
#include <stdlib.h>
#include <string.h>

int heap(int k, unsigned char i)
{
    char *block = malloc(10), *other = calloc(2, 5), *grown;
    switch (k) {
    case 1: return block[k - 2];  // expect outcome(read out of bounds): crashed
    case 2: block[k - 3] = 1; return 1;  // expect outcome(write out of bounds): crashed
    case 3: return block[k + 7];  // expect outcome(read out of bounds): crashed
    case 4: other[k + 6] = 1; return 1;  // expect outcome(write out of bounds): crashed
    case 5: return block[k * 16];  // expect outcome(read out of bounds): crashed
    case 6: return block[k * 1000000];  // expect outcome(read out of bounds): crashed
    case 7: other[i] = 1; return 2;  // expect outcome(write out of bounds): crashed
    case 8: memset(block, 0, i); return 3;  // expect outcome(write out of bounds): crashed
    case 9: memcpy(block, other + i, 5); return 4;  // expect outcome(read out of bounds): crashed
    case 10: strcpy(block, "ten chars!"); return 5;  // expect outcome(write out of bounds in the call of `strcpy`): crashed
    case 11: grown = realloc(block, 20); grown[19] = 1; return 6;
    case 12: grown = realloc(block, 5); return grown[9];  // expect outcome(read out of bounds): crashed
    case 13: return *(int *)(block + 7);  // expect outcome(read out of bounds): crashed
    case 14: return block == other;
    }
    return block[k & 7] > 3;
}
