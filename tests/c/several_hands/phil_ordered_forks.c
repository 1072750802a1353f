// ARGS: --properties assertion,deadlock,data-race
// Forks are picked up in order; who has both counts a meal on each.
#include <assert.h>
#include <pthread.h>

struct fork { pthread_mutex_t m; int owner; int meals; };
static struct fork f0 = {PTHREAD_MUTEX_INITIALIZER, -1, 0}, f1 = {PTHREAD_MUTEX_INITIALIZER, -1, 0},
                   f2 = {PTHREAD_MUTEX_INITIALIZER, -1, 0};

static void eat(int id, struct fork *first, struct fork *second) {
    pthread_mutex_lock(&first->m);
    assert(first->owner == -1); // SAFE
    first->owner = id;
    pthread_mutex_lock(&second->m);
    assert(second->owner == -1); // SAFE
    second->owner = id;
    assert(first->owner == id); // SAFE
    first->meals++;
    second->meals++;
    second->owner = -1;
    pthread_mutex_unlock(&second->m);
    first->owner = -1;
    pthread_mutex_unlock(&first->m);
}

static void *a(void *x) { eat(0, &f0, &f1); eat(0, &f0, &f1); return x; }
static void *b(void *x) { eat(1, &f1, &f2); return x; }
static void *c(void *x) { eat(2, &f0, &f2); return x; }

int main(void) {
    pthread_t ta, tb, tc;
    pthread_create(&ta, 0, a, 0);
    pthread_create(&tb, 0, b, 0);
    pthread_create(&tc, 0, c, 0);
    pthread_join(ta, 0);
    pthread_join(tb, 0);
    pthread_join(tc, 0);
    assert(f0.meals == 3); // SAFE
    assert(f1.meals == 3); // SAFE
    assert(f2.meals == 2); // SAFE
    assert(f0.meals + f1.meals + f2.meals == 8); // SAFE
    assert(f0.owner == -1); // SAFE
    return 0;
}
