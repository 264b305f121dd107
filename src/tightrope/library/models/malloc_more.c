/* Further functions of <malloc.h> and <stdlib.h> that give blocks of the heap. */

#include <stddef.h>
#include <stdlib.h>

void *tightrope_aligned(unsigned long alignment, unsigned long size);
int *tightrope_model___errno_location(void);

enum { INVALID_ARGUMENT = 22, NO_MEMORY = 12 }; /* EINVAL and ENOMEM of Linux */

static int is_power_of_two(size_t n) { return n != 0 && (n & (n - 1)) == 0; }

/* glibc takes any alignment here, and rounds it up to a power of two. */
void *tightrope_model_memalign(size_t alignment, size_t size)
{
    size_t power = 16;
    if (alignment > (size_t)1 << 62) {
        *tightrope_model___errno_location() = INVALID_ARGUMENT;
        return NULL;
    }
    while (power < alignment) power *= 2;
    return tightrope_aligned(power, size);
}

void *tightrope_model_aligned_alloc(size_t alignment, size_t size) { return tightrope_model_memalign(alignment, size); }

int tightrope_model_posix_memalign(void **block, size_t alignment, size_t size)
{
    if (alignment % sizeof(void *) != 0 || !is_power_of_two(alignment / sizeof(void *))) return INVALID_ARGUMENT;
    void *found = tightrope_model_memalign(alignment, size);
    if (found == NULL) return NO_MEMORY;
    *block = found;
    return 0;
}

void *tightrope_model_reallocarray(void *block, size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) {
        *tightrope_model___errno_location() = NO_MEMORY;
        return NULL;
    }
    return realloc(block, bytes);
}
