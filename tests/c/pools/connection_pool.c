// ARGS: --properties assertion,array-bounds
// Connections are slots that are free or busy; a caller scans for a free one and must give it back.
#include <pthread.h>
#include <assert.h>

#define SLOTS 2
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int busy[SLOTS];
static int in_use, high_water;

static int acquire(void) {
    int found = -1;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < SLOTS; i++) {
        if (!busy[i]) { // SAFE
            busy[i] = 1; // SAFE
            found = i;
            if (in_use < SLOTS) in_use++;
            if (in_use > high_water) high_water = in_use;
            break;
        }
    }
    assert(high_water <= SLOTS); // SAFE
    pthread_mutex_unlock(&lock);
    return found;
}

static void release(int slot) {
    pthread_mutex_lock(&lock);
    busy[slot] = 0; // SAFE
    if (in_use > 0) in_use--;
    pthread_mutex_unlock(&lock);
}

static void *caller(void *unused) {
    int slot = acquire();
    assert(slot >= -1); // SAFE
    assert(slot < SLOTS); // SAFE
    if (slot < 0) return 0;
    assert(in_use >= 1); // UNKNOWN (counting)
    assert(in_use == 1); // UNSAFE!
    release(slot);
    return 0;
}

int main(void) {
    pthread_t t[3];
    for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, caller, 0);
    for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
    assert(in_use >= 0); // SAFE
    return 0;
}
