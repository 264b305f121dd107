// function: raise_level
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int level;

int raise_level(int by, int limit)
{
    if (pthread_mutex_lock(&lock) != 0)  // expect branch(true): unknown; branch(false): covered
        return -1;
    if (by < 0 || limit < 0) {  // expect branch: covered
        pthread_mutex_unlock(&lock);
        return -2;
    }
    if (level < 100 && level + by > limit)  // expect branch: covered
        level = limit;
    pthread_mutex_unlock(&lock);
    return 0;
}
