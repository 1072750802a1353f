// A store: suppliers bring crates, customers take what is there; books are kept of every crate.
#include <assert.h>
#include <pthread.h>

#define START 4
static pthread_mutex_t store = PTHREAD_MUTEX_INITIALIZER;
static int crates = START, delivered, sold, missed;

static void deliver(int count) {
    pthread_mutex_lock(&store);
    crates += count;
    delivered += count;
    assert(crates >= count); // SAFE
    pthread_mutex_unlock(&store);
}

static int order(int count) {
    int got = 0;
    pthread_mutex_lock(&store);
    if (crates >= count) {
        got = count;
        crates -= got;
        sold += got;
    } else
        missed += count;
    assert(crates >= 0); // SAFE
    assert(crates == START + delivered - sold); // SAFE
    pthread_mutex_unlock(&store);
    return got;
}

static void *supplier(void *unused) {
    for (int i = 0; i < 2; i++)
        deliver(3);
    return 0;
}

static void *customer(void *unused) {
    int mine = order(2);
    assert(mine == 0 || mine == 2); // SAFE
    mine += order(3);
    assert(mine <= 5); // SAFE
    __goblint_check(mine == 5); // UNSAFE!
    return 0;
}

int main(void) {
    pthread_t s, a, b;
    pthread_create(&a, 0, customer, 0);
    pthread_create(&b, 0, customer, 0);
    pthread_create(&s, 0, supplier, 0);
    pthread_mutex_lock(&store);
    assert(sold + missed <= 10); // SAFE
    pthread_mutex_unlock(&store);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(sold + missed == 10); // SAFE
    pthread_join(s, 0);
    assert(delivered == 6); // SAFE
    assert(crates == START + 6 - sold); // SAFE
    assert(crates >= 0); // SAFE
    __goblint_check(missed == 0); // UNSAFE!
    return 0;
}
