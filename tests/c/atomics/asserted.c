// ARGS: --properties assertion,data-race
// What an assertion reads is read by the program: atomically where the object is atomic, and else not.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int owner;
static int plain;

static void *client(void *given) {
    owner = 1;
    assert(owner == 1); // SAFE
    assert(owner > 0 && owner < 2); // SAFE
    plain = (int)(long)given; // UNSAFE!
    assert(plain == (int)(long)given); // UNSAFE!
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, client, (void *)1L);
    pthread_create(&b, 0, client, (void *)2L);
    return 0;
}
