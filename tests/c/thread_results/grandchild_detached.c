// As grandchild.c, but the thread ends without having joined its own: that one may still write.
#include <assert.h>
#include <pthread.h>

static int prepared, built;

static void *prepare(void *unused) {
    prepared = 4;
    return 0;
}

static void *build(void *unused) {
    pthread_t helper;
    if (pthread_create(&helper, 0, prepare, 0) == 0)
        pthread_detach(helper);
    built = 1;
    return 0;
}

int main(void) {
    pthread_t t;
    if (pthread_create(&t, 0, build, 0))
        return 1;
    pthread_join(t, 0);
    assert(built == 1); // SAFE
    prepared = 7;
    assert(prepared == 7 || prepared == 4); // SAFE
    assert(prepared == 7); // UNSAFE!
    return 0;
}
