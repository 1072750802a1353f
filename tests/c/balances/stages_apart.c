// As stages.c, but a part is taken in one section and handed on in the next: meanwhile it is in a worker's hands, which
// nobody counts. Once all workers are done it is counted again.
#include <assert.h>
#include <pthread.h>

#define PARTS 2
static int waiting = PARTS, milled, painted;
static pthread_mutex_t belt = PTHREAD_MUTEX_INITIALIZER;

static int taken(int *from) {
    int had = 0;
    pthread_mutex_lock(&belt);
    if (*from > 0) {
        *from -= 1;
        had = 1;
    }
    pthread_mutex_unlock(&belt);
    return had;
}

static void put(int *to, int how_many) {
    pthread_mutex_lock(&belt);
    *to += how_many;
    pthread_mutex_unlock(&belt);
}

static void *mill(void *unused) {
    put(&milled, taken(&waiting));
    return 0;
}

static void *paint(void *unused) {
    put(&painted, taken(&milled));
    return 0;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, mill, 0);
    pthread_create(&two, 0, paint, 0);
    pthread_mutex_lock(&belt);
    __goblint_check(waiting + milled + painted == PARTS); // UNSAFE!
    pthread_mutex_unlock(&belt);
    pthread_join(one, 0);
    pthread_join(two, 0);
    assert(waiting + milled + painted == PARTS); // SAFE
    return 0;
}
