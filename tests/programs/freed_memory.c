// function: use
// Blocks that were freed: read, written, copied from, freed again; and what was never a block.
#include <stdlib.h>
#include <string.h>

static int read_it(int *block) { return block[1]; }  // expect outcome(read of a heap block that was freed): crashed

int use(int k)
{
    int *block = malloc(2 * sizeof *block), *other, local = 1;
    char *text = calloc(8, 1);
    block[0] = block[1] = k;
    free(k > 1 && k < 20 ? block : 0);
    switch (k) {
    case 2: return read_it(block);
    case 3: block[0] = 1; return 1;  // expect outcome(write to a heap block that was freed): crashed
    case 4: memcpy(&local, block, sizeof local); return 2;  // expect outcome(read of a heap block that was freed): crashed
    case 5: free(block); return 3;  // expect outcome(free or realloc of a heap block that was freed before): crashed
    case 6: block = realloc(block, 4); return 4;  // expect outcome(free or realloc of a heap block that was freed before): crashed
    case 7: free(text + 1); return 5;  // expect outcome(free or realloc of an address that is not the start of a heap block): crashed
    case 8: free(&local); return 6;  // expect outcome(free or realloc of an address that is not the start of a heap block): crashed
    case 9: other = realloc(text, 20); return text[0] + !other;  // expect outcome(read of a heap block that was freed): crashed
    case 10: free(text); strcpy(text, "abc"); return 7;  // expect outcome(write to a heap block that was freed): crashed
    }
    return read_it(block) == 30;
}
