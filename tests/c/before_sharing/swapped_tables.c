// A new table is built aside and swapped in under the lock; readers hold the lock while they look at it.
#include <assert.h>
#include <pthread.h>

struct table { int count, checksum; };
static struct table even, odd, *current = &even;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *rebuild(void *unused) {
    struct table *aside = &odd;
    aside->count = 3;
    assert(aside->count == 3); // SAFE
    aside->checksum = 30;
    pthread_mutex_lock(&lock);
    current = aside;
    pthread_mutex_unlock(&lock);
    return 0;
}

static void *look(void *unused) {
    pthread_mutex_lock(&lock);
    struct table *t = current;
    assert(t->checksum == 10 * t->count); // SAFE
    if (t == &odd)
        assert(t->count == 3); // SAFE
    pthread_mutex_unlock(&lock);
    __goblint_check(t == &even); // UNSAFE!
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, rebuild, 0);
    pthread_create(&b, 0, look, 0);
    return 0;
}
