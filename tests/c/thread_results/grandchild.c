// A thread starts one of its own and joins it before it ends: who joins the first has waited for both.
#include <assert.h>
#include <pthread.h>

static int prepared, built;

static void *prepare(void *unused) {
    prepared = 4;
    return 0;
}

static void *build(void *unused) {
    pthread_t helper;
    if (pthread_create(&helper, 0, prepare, 0))
        return 0;
    pthread_join(helper, 0);
    built = prepared + 1;
    return &built;
}

int main(void) {
    pthread_t t;
    void *product;
    if (pthread_create(&t, 0, build, 0))
        return 1;
    pthread_join(t, &product);
    if (product) {
        assert(product == &built); // SAFE
        assert(prepared == 4); // SAFE
        assert(built == 5); // SAFE
    }
    prepared = 7;
    assert(prepared == 7); // SAFE
    return 0;
}
