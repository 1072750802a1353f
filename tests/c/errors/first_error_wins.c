// The first error is kept: by compare and swap it is never overwritten, by test and set it is.
#include <pthread.h>
#include <assert.h>

static int error, racy_error;

static void *task(void *argument) {
    int code = (int)(long)argument;
    assert(code >= 1 && code <= 2); // SAFE
    __sync_bool_compare_and_swap(&error, 0, code);
    assert(error >= 1); // SAFE
    if (racy_error == 0) {
        racy_error = code;
        assert(racy_error == code); // UNSAFE!
    }
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, task, (void *)1);
    pthread_create(&b, 0, task, (void *)2);
    assert(error <= 2); // SAFE
    assert(racy_error >= 0); // SAFE
    return 0;
}
