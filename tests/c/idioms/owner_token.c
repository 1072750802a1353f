// ARGS: --properties assertion,data-race
// The owner of a device is told by its id: who puts its id where a zero was is alone until it takes it away.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int owner;
static int in_use; // SAFE
static int commands; // SAFE

static void *client(void *arg) {
    int id = (int)(long)arg;
    for (int n = 0; n < 10; n++) {
        int zero = 0;
        if (!atomic_compare_exchange_strong(&owner, &zero, id))
            continue;
        assert(in_use == 0); // SAFE
        assert(atomic_load(&owner) == id); // SAFE
        in_use = 1;
        commands++;
        assert(in_use == 1); // SAFE
        in_use = 0;
        atomic_store(&owner, 0);
    }
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, client, (void *)1L);
    pthread_create(&b, 0, client, (void *)2L);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(in_use == 0); // SAFE
    assert(commands <= 20); // SAFE
    return 0;
}
