// Double-checked initialisation of a table with a C11 atomic flag and a mutex.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#define SIZE 8

static int table[SIZE];
static atomic_bool ready;
static int built; // under the lock
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void build(void) {
    for (int i = 0; i < SIZE; i++)
        table[i] = i * i + 1;
    built++;
}

static int look_up(int index) {
    if (!atomic_load_explicit(&ready, memory_order_acquire)) {
        pthread_mutex_lock(&lock);
        if (!atomic_load_explicit(&ready, memory_order_relaxed)) {
            assert(built == 0); // SAFE
            build();
            atomic_store_explicit(&ready, true, memory_order_release);
        }
        assert(built == 1); // SAFE
        pthread_mutex_unlock(&lock);
    }
    assert(atomic_load(&ready)); // SAFE
    return table[index];
}

static void *user(void *argument) {
    int found = look_up(3);
    assert(found == 10); // SAFE
    assert(built == 1); // SAFE
    return 0;
}

static void *hasty(void *argument) {
    __goblint_check(table[3] == 10); // UNSAFE!
    int found = look_up(0);
    assert(found == 1); // SAFE
    return 0;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, 0, user, 0);
    pthread_create(&b, 0, user, 0);
    pthread_create(&c, 0, hasty, 0);
    pthread_join(a, 0);
    pthread_join(c, 0);
    assert(built == 1); // SAFE
    assert(table[7] == 50); // SAFE
    pthread_join(b, 0);
    return 0;
}
