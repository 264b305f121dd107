/* The functions of <malloc.h> for calls through pointers: direct calls are probes. */

#include <stdlib.h>

void *tightrope_model_malloc(size_t size) { return malloc(size); }

void *tightrope_model_calloc(size_t count, size_t size) { return calloc(count, size); }

void *tightrope_model_realloc(void *block, size_t size) { return realloc(block, size); }

void tightrope_model_free(void *block) { free(block); }
