// ARGS: --properties assertion,array-bounds,data-race
// A search in parts: who finds the value notes where and raises a flag; the others stop at their next step.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define COUNT 8
static const int table[COUNT] = {4, 8, 15, 16, 23, 42, 7, 9};
static atomic_int stop;
static int found = -1; // SAFE
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int looked;

struct part {
    int from, to, steps;
};

static void *search(void *argument) {
    struct part *part = argument;
    assert(part->from < part->to); // SAFE
    assert(part->to <= COUNT); // SAFE
    for (int i = part->from; i < part->to && !atomic_load(&stop); i++) {
        part->steps++;
        atomic_fetch_add(&looked, 1);
        if (table[i] == 42) { // SAFE
            pthread_mutex_lock(&lock);
            found = i;
            pthread_mutex_unlock(&lock);
            atomic_store(&stop, 1);
        }
        __goblint_check(!atomic_load(&stop)); // UNSAFE!
    }
    assert(part->steps <= COUNT / 2); // SAFE
    return 0;
}

int main(void) {
    pthread_t a, b;
    struct part low = {0, COUNT / 2, 0}, high = {COUNT / 2, COUNT, 0};
    pthread_create(&a, 0, search, &low);
    pthread_create(&b, 0, search, &high);
    pthread_mutex_lock(&lock);
    assert(found == -1 || table[found] == 42); // SAFE
    __goblint_check(found == -1); // UNSAFE!
    pthread_mutex_unlock(&lock);
    pthread_join(a, 0);
    __goblint_check(low.steps == 4); // UNSAFE!
    pthread_join(b, 0);
    assert(found >= -1 && found < COUNT); // SAFE
    assert(found == 5); // SAFE
    assert(atomic_load(&stop) == 1); // SAFE
    assert(high.steps == 2); // SAFE
    assert(low.steps >= 0 && low.steps <= 4); // SAFE
    assert(atomic_load(&looked) == low.steps + high.steps); // UNKNOWN (a sum of a global and of members of several objects)
    return 0;
}
