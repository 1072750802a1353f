// Two locks of one's own in an order: an inner one for a pair, an outer one for the pair and its copy.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_flag inner = ATOMIC_FLAG_INIT, outer = ATOMIC_FLAG_INIT;
static int x, y, copy_of_x, copy_of_y;

#define TAKE(f) while (atomic_flag_test_and_set(&(f))) { }
#define GIVE(f) atomic_flag_clear(&(f))

static void *step(void *unused) {
    TAKE(inner);
    x += 3;
    y += 3;
    GIVE(inner);
    return 0;
}

static void *snapshot(void *unused) {
    TAKE(outer);
    TAKE(inner);
    copy_of_x = x;
    copy_of_y = y;
    GIVE(inner);
    assert(copy_of_x == copy_of_y); // SAFE
    GIVE(outer);
    return 0;
}

int main(void) {
    pthread_t t;
    for (int i = 0; i < 2; i++) {
        pthread_create(&t, 0, step, 0);
        pthread_create(&t, 0, snapshot, 0);
    }
    TAKE(outer);
    assert(copy_of_x - copy_of_y == 0); // SAFE
    TAKE(inner);
    assert(x == y); // SAFE
    __goblint_check(x == copy_of_x); // UNSAFE!
    GIVE(inner);
    GIVE(outer);
    return 0;
}
