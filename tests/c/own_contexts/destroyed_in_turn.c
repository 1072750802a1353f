// Two destructors, each called once with what was kept by its key, in any order, before the thread is joined.
#include <assert.h>
#include <pthread.h>

static pthread_key_t first, second;
static int one, two;
static int calls_of_first, calls_of_second;

static void end_first(void *p) {
    assert(p == &one); // SAFE
    assert(pthread_getspecific(first) == NULL); // SAFE
    calls_of_first++;
}

static void end_second(void *p) {
    assert(p == &two); // SAFE
    __goblint_check(pthread_getspecific(first) == NULL); // UNSAFE!
    calls_of_second++;
}

static void *worker(void *unused) {
    pthread_setspecific(first, &one);
    pthread_setspecific(second, &two);
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_key_create(&second, end_second);
    pthread_key_create(&first, end_first);
    pthread_create(&t, NULL, worker, NULL);
    pthread_join(t, NULL);
    assert(calls_of_second == 1); // SAFE
    assert(calls_of_first == 1); // SAFE
    return 0;
}
