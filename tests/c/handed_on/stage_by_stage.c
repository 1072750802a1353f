// ARGS: --properties assertion,overflow
// Stages that a controller lets go on one by one: who has seen a stage finds all that was prepared for it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int stage, input, output, finished;
static atomic_int beats;

static void wait_for(int wanted) {
    pthread_mutex_lock(&lock);
    while (stage < wanted)
        pthread_cond_wait(&changed, &lock);
    assert(stage >= wanted); // SAFE
    pthread_mutex_unlock(&lock);
}

static void go_to(int next) {
    pthread_mutex_lock(&lock);
    assert(stage == next - 1); // SAFE
    stage = next;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

static void *worker(void *unused) {
    __goblint_check(input == 7); // UNSAFE!
    wait_for(1);
    assert(input == 7); // SAFE
    output = 2 * input; // SAFE
    go_to(2);
    wait_for(3);
    assert(finished == 1); // SAFE
    assert(output == 14); // SAFE
    return 0;
}

static void *heart(void *unused) {
    for (int i = 0; i < 100; i++) {
        int before = atomic_load(&beats);
        atomic_fetch_add(&beats, 1);
        assert(atomic_load(&beats) > before); // SAFE
    }
    return 0;
}

static void *watcher(void *unused) {
    int seen = atomic_load(&beats);
    pthread_mutex_lock(&lock);
    int found = stage;
    pthread_mutex_unlock(&lock);
    assert(atomic_load(&beats) >= seen); // SAFE
    assert(seen >= 0 && seen <= 200); // SAFE
    pthread_mutex_lock(&lock);
    assert(stage >= found); // SAFE
    assert(stage >= 0 && stage <= 3); // SAFE
    __goblint_check(stage == found); // UNSAFE!
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t w, a, b, s;
    pthread_create(&w, 0, worker, 0);
    pthread_create(&a, 0, heart, 0);
    pthread_create(&b, 0, heart, 0);
    pthread_create(&s, 0, watcher, 0);
    input = 7;
    go_to(1);
    wait_for(2);
    assert(output == 14); // SAFE
    finished = 1;
    go_to(3);
    pthread_join(w, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(atomic_load(&beats) == 200); // SAFE
    return 0;
}
