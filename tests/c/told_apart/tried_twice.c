// As tried_first.c, but the result of a second attempt is put in the same variable: who holds the lock may not know it.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static int total, entries;

static void *record(void *unused) {
    int got = pthread_mutex_trylock(&first) == 0;
    got = pthread_mutex_trylock(&second) == 0 || got;
    if (got) {
        total++;
        entries++;
        __goblint_check(total == entries); // UNSAFE!
        assert(got == 1); // SAFE
    }
    return 0;
}

int main(void) {
    pthread_t t;
    for (int i = 0; i < 3; i++)
        pthread_create(&t, 0, record, 0);
    return 0;
}
