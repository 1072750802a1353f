// An error number of each thread, as a library would have it: made when it is asked for first, by a number in a pointer.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

static pthread_key_t last_error;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void make_key(void) {
    if (pthread_key_create(&last_error, 0) != 0)
        abort();
}

static void set_error(int number) {
    pthread_once(&once, make_key);
    pthread_setspecific(last_error, (void *)(intptr_t)number);
}

static int get_error(void) {
    pthread_once(&once, make_key);
    return (int)(intptr_t)pthread_getspecific(last_error);
}

static void *failing(void *unused) {
    set_error(5);
    int found = get_error();
    assert(found == 5 || found == 0); // SAFE
    return 0;
}

static void *fine(void *unused) {
    assert(get_error() != 5); // SAFE
    set_error(0);
    assert(get_error() == 0); // SAFE
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, failing, 0);
    pthread_create(&b, 0, fine, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(get_error() == 0); // SAFE
    return 0;
}
