/* Models of the mutexes of <pthread.h>, of condition variables without waiting threads, and of pthread_once. A run
 * has one thread: locking a plain mutex twice blocks for ever. */

#include <stddef.h>

enum { AGAIN = 35, BUSY = 16, INVALID_ARGUMENT = 22, NOT_OWNED = 1 }; /* EDEADLK, EBUSY, EINVAL and EPERM of Linux */
enum kind { PLAIN, RECURSIVE, CHECKING, ADAPTIVE, PLAIN_ON_REQUEST = 512 };

/* The layout of glibc on 64-bit machines. The owner is the only thread. */
struct mutex {
    int is_locked;
    unsigned count;
    int owner;
    unsigned users;
    int kind;
    int others[5];
};

int tightrope_model_pthread_mutex_init(struct mutex *mutex, const int *attributes)
{
    *mutex = (struct mutex){.kind = attributes != NULL ? *attributes : PLAIN};
    return 0;
}

int tightrope_model_pthread_mutex_destroy(struct mutex *mutex)
{
    if (mutex->users != 0) return BUSY;
    mutex->kind = -1;
    return 0;
}

static int take(struct mutex *mutex)
{
    mutex->is_locked = mutex->owner = 1;
    mutex->count = mutex->kind == RECURSIVE;
    mutex->users++;
    return 0;
}

int tightrope_model_pthread_mutex_lock(struct mutex *mutex)
{
    if (!mutex->is_locked) return take(mutex);
    if (mutex->kind == CHECKING) return AGAIN;
    while (mutex->kind != RECURSIVE);
    mutex->count++;
    return 0;
}

int tightrope_model_pthread_mutex_trylock(struct mutex *mutex)
{
    if (!mutex->is_locked) return take(mutex);
    if (mutex->kind != RECURSIVE) return BUSY;
    mutex->count++;
    return 0;
}

int tightrope_model_pthread_mutex_unlock(struct mutex *mutex)
{
    int has_checks = mutex->kind == RECURSIVE || mutex->kind == CHECKING;
    if (has_checks && !mutex->is_locked) return NOT_OWNED;
    if (mutex->kind == RECURSIVE && --mutex->count > 0) return 0;
    mutex->owner = mutex->is_locked = 0;
    mutex->users--;
    return 0;
}

int tightrope_model_pthread_mutexattr_init(int *attributes)
{
    *attributes = PLAIN;
    return 0;
}

int tightrope_model_pthread_mutexattr_settype(int *attributes, int kind)
{
    if (kind < PLAIN || kind > ADAPTIVE) return INVALID_ARGUMENT;
    *attributes = kind == PLAIN ? PLAIN_ON_REQUEST : kind;
    return 0;
}

int tightrope_model_pthread_mutexattr_destroy(int *attributes)
{
    (void)attributes;
    return 0;
}

int tightrope_model_pthread_cond_signal(void *condition)
{
    (void)condition;
    return 0;
}

int tightrope_model_pthread_cond_broadcast(void *condition)
{
    (void)condition;
    return 0;
}

int tightrope_model_pthread_once(int *state, void (*first)(void))
{
    enum { DONE = 2 };
    if (*state != DONE) {
        *state = DONE;
        first();
    }
    return 0;
}
