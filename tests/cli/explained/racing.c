/* Two threads count with different locks; each definition is one of the changes that `duet explain` names. */
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, k = PTHREAD_MUTEX_INITIALIZER;
#ifdef ATOMIC
static atomic_int count;
#else
static int count;
#endif

static void *adder(void *unused) {
    pthread_mutex_lock(&m);
#ifdef HOLD_K
    pthread_mutex_lock(&k);
#endif
    count = 1;
#ifdef HOLD_K
    pthread_mutex_unlock(&k);
#endif
    pthread_mutex_unlock(&m);
    return 0;
}

static void *other(void *unused) {
#ifdef HOLD_M
    pthread_mutex_lock(&m);
#endif
    pthread_mutex_lock(&k);
    count = 2;
    pthread_mutex_unlock(&k);
#ifdef HOLD_M
    pthread_mutex_unlock(&m);
#endif
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, adder, 0);
#ifdef JOINED
    pthread_join(a, 0);
#endif
    pthread_create(&b, 0, other, 0);
    return 0;
}
