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
    assert(!pthread_equal(pthread_self(), main_thread)); // UNKNOWN (a thread id in a variable)
    call();
    return 0;
}

int main(void) {
    pthread_t t;
    main_thread = pthread_self();
    assert(pthread_equal(main_thread, pthread_self())); // UNKNOWN (a thread id in a variable)
    if (pthread_create(&t, 0, worker, 0))
        return 1;
    assert(!pthread_equal(t, pthread_self())); // UNKNOWN (a thread id in a variable)
    call();
    assert(ui_calls == 1); // UNKNOWN (a thread id in a variable)
    pthread_join(t, 0);
    assert(background_calls == 1); // UNKNOWN (a thread id in a variable)
    return 0;
}
