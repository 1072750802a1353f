// Where the result of pthread_create is ignored the thread is taken to start (an assumption of the report).
#include <pthread.h>
#include <assert.h>

static int status, ready, tried;

static void *informer(void *unused) {
    status = 5;
    ready = 1;
    return 0;
}

static void *trier(void *unused) {
    tried = 1;
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, informer, 0);
    assert(status == 0); // UNSAFE!
    while (!ready) ;
    assert(status == 5); // SAFE (needs refinement)
    if (pthread_create(&b, 0, trier, 0) == 0) {
        while (!tried) ;
        assert(tried == 1); // SAFE
    }
    pthread_join(a, 0);
    return 0;
}
