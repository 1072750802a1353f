// ARGS: --properties assertion,array-bounds
// Slots given out by a bitmap under a lock: who has one works in its element alone.
#include <assert.h>
#include <pthread.h>

#define SLOTS 8

static unsigned used_mask;
static int used_count, peak;
static int owner[SLOTS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int slot_take(int who) {
    int slot = -1;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < SLOTS; i++) {
        if (!(used_mask & (1u << i))) {
            used_mask |= 1u << i;
            used_count++;
            owner[i] = who; // SAFE
            slot = i;
            break;
        }
    }
    if (used_count > peak)
        peak = used_count;
    assert(used_count <= SLOTS); // SAFE
    assert(used_mask < 1u << SLOTS); // SAFE
    assert(used_count <= peak); // SAFE
    pthread_mutex_unlock(&lock);
    return slot;
}

static void slot_give(int slot) {
    pthread_mutex_lock(&lock);
    assert(used_mask & (1u << slot)); // UNKNOWN (who has a bit)
    used_mask &= ~(1u << slot);
    assert(used_count > 0); // SAFE
    used_count--;
    owner[slot] = 0; // SAFE
    pthread_mutex_unlock(&lock);
}

static void *user(void *arg) {
    int id = (int)(long)arg;
    for (int i = 0; i < 4; i++) {
        int slot = slot_take(id);
        assert(slot < SLOTS); // SAFE
        if (slot < 0)
            continue;
        assert(owner[slot] == id); // UNKNOWN (who has an element)
        slot_give(slot);
    }
    return 0;
}

int main(void) {
    pthread_t t[3];
    for (long i = 0; i < 3; i++)
        pthread_create(&t[i], 0, user, (void *)(i + 1));
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    assert(used_count == 0); // SAFE
    assert(used_mask == 0); // UNKNOWN (who has a bit)
    assert(peak <= 3); // SAFE
    assert(peak == 0); // UNSAFE!
    return 0;
}
