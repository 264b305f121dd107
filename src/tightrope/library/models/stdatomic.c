/* Models of what compilers call for atomic objects that no instruction reads or writes whole. A run has one thread. */

#include <stdbool.h>
#include <stddef.h>

void *tightrope_model_memcpy(void *restrict to, const void *restrict from, size_t count);
int tightrope_model_memcmp(const void *left, const void *right, size_t count);

void tightrope_model___atomic_load(size_t size, const void *from, void *to, int order)
{
    (void)order;
    tightrope_model_memcpy(to, from, size);
}

void tightrope_model___atomic_store(size_t size, void *to, const void *from, int order)
{
    (void)order;
    tightrope_model_memcpy(to, from, size);
}

void tightrope_model___atomic_exchange(size_t size, void *object, const void *from, void *to, int order)
{
    (void)order;
    tightrope_model_memcpy(to, object, size);
    tightrope_model_memcpy(object, from, size);
}

bool tightrope_model___atomic_compare_exchange(size_t size, void *object, void *expected, const void *wanted, int order,
                                               int order_of_failure)
{
    (void)order;
    (void)order_of_failure;
    if (tightrope_model_memcmp(object, expected, size) == 0) {
        tightrope_model_memcpy(object, wanted, size);
        return true;
    }
    tightrope_model_memcpy(expected, object, size);
    return false;
}
