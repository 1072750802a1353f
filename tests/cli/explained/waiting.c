/* Two threads take two locks in different orders; each definition is one of the changes that `duet explain` names. */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, k = PTHREAD_MUTEX_INITIALIZER;

static void *adder(void *unused) {
    pthread_mutex_lock(&m);
#ifdef GIVES_BACK
    pthread_mutex_unlock(&m);
#endif
#ifdef TRIES
    if (pthread_mutex_trylock(&k) == 0)
        pthread_mutex_unlock(&k);
#else
    pthread_mutex_lock(&k);
    pthread_mutex_unlock(&k);
#endif
#ifndef GIVES_BACK
    pthread_mutex_unlock(&m);
#endif
    return 0;
}

static void *other(void *unused) {
#ifdef ONE_ORDER
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&k);
#else
    pthread_mutex_lock(&k);
    pthread_mutex_lock(&m);
#endif
    pthread_mutex_unlock(&m);
    pthread_mutex_unlock(&k);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, adder, 0);
    pthread_create(&b, 0, other, 0);
    return 0;
}
