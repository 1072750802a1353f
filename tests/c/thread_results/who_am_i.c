// Main is not the worker, and knows its own id. A function that both call does what belongs to its caller.
#include <assert.h>
#include <pthread.h>

static pthread_t main_thread;
static int ui_calls, background_calls;

static void call(void) {
    if (pthread_equal(pthread_self(), main_thread))
        ui_calls++;
    else
        background_calls++;
}

static void *worker(void *unused) {
    assert(!pthread_equal(pthread_self(), main_thread)); // SAFE
    call();
    return 0;
}

int main(void) {
    pthread_t t;
    main_thread = pthread_self();
    assert(pthread_equal(main_thread, pthread_self())); // SAFE
    if (pthread_create(&t, 0, worker, 0))
        return 1;
    assert(!pthread_equal(t, pthread_self())); // SAFE
    call();
    assert(ui_calls == 1); // SAFE
    pthread_join(t, 0);
    assert(background_calls == 1); // SAFE
    return 0;
}
