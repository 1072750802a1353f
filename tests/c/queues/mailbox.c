// A one-place mailbox with status: EMPTY, WRITING, FULL, READING; each side moves it only in its own states.
#include <pthread.h>
#include <assert.h>

enum { EMPTY, WRITING, FULL, READING };
static int status = EMPTY;
static int letter;

static void *sender(void *unused) {
    for (int i = 0; i < 3; i++) {
        if (!__sync_bool_compare_and_swap(&status, EMPTY, WRITING)) continue;
        letter = 10 + i;
        assert(letter >= 10); // SAFE
        status = FULL;
    }
    return 0;
}

static void *receiver(void *unused) {
    for (int i = 0; i < 3; i++) {
        if (!__sync_bool_compare_and_swap(&status, FULL, READING)) {
            assert(letter <= 12); // SAFE
            assert(letter >= 10); // UNSAFE!
            continue;
        }
        assert(letter >= 10); // SAFE (needs refinement)
        letter = 0;
        status = EMPTY;
    }
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, sender, 0);
    pthread_create(&b, 0, receiver, 0);
    assert(status >= EMPTY); // SAFE
    assert(status <= READING); // SAFE
    return 0;
}
