// ARGS: --properties assertion,array-bounds,overflow
// Free numbers on a stack that main fills; threads take one, use the place of that number, and give it back.
#include <assert.h>
#include <pthread.h>

#define IDS 5

static int unused_ids[IDS];
static int depth, busy, failures;
static int uses[IDS];
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static int take(void) {
    int id = -1;
    pthread_mutex_lock(&m);
    if (depth > 0) {
        depth--;
        id = unused_ids[depth]; // SAFE
        busy++; // SAFE
    } else
        failures++; // SAFE
    assert(depth + busy == IDS); // SAFE
    assert(depth >= 0 && depth <= IDS); // SAFE
    pthread_mutex_unlock(&m);
    return id;
}

static void give(int id) {
    pthread_mutex_lock(&m);
    assert(busy >= 1); // SAFE
    assert(depth < IDS); // SAFE
    unused_ids[depth] = id; // SAFE
    depth++;
    busy--;
    pthread_mutex_unlock(&m);
}

static void *user(void *arg) {
    for (int i = 0; i < 2; i++) {
        int id = take();
        if (id >= 0) {
            assert(id < IDS); // SAFE
            pthread_mutex_lock(&m);
            uses[id]++; // UNKNOWN (how often an element that is chosen is raised)
            assert(uses[id] >= 1); // SAFE
            pthread_mutex_unlock(&m);
            give(id);
        }
    }
    return arg;
}

int main(void) {
    pthread_t t[3];
    while (depth < IDS) {
        unused_ids[depth] = depth; // SAFE
        depth++;
    }
    assert(depth == IDS); // SAFE
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], 0, user, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    assert(busy == 0); // SAFE
    assert(depth == IDS); // SAFE
    assert(failures == 0); // SAFE (five for three threads)
    int often = uses[4]; // SAFE
    assert(often == 6); // UNSAFE!
    return 0;
}
