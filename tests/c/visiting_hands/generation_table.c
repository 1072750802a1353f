// ARGS: --properties assertion,array-bounds
// Handles of a slot and its generation: a handle of an older generation is refused.
#include <assert.h>
#include <pthread.h>

#define SLOTS 4

struct slot {
    unsigned generation;
    int live;
    int value;
};

struct handle {
    int slot;
    unsigned generation;
};

static struct slot slots[SLOTS];
static int live_slots;
static unsigned opened, closed_handles;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct handle handle_open(int value) {
    struct handle h = {-1, 0};
    pthread_mutex_lock(&lock);
    for (int i = 0; i < SLOTS; i++) {
        if (!slots[i].live) { // SAFE
            slots[i].live = 1;
            slots[i].generation++;
            slots[i].value = value;
            live_slots++;
            opened++;
            h.slot = i;
            h.generation = slots[i].generation;
            break;
        }
    }
    assert(live_slots <= SLOTS); // UNKNOWN (a count of elements that are in use)
    pthread_mutex_unlock(&lock);
    return h;
}

static int handle_close(struct handle h) {
    int ok = 0;
    if (h.slot < 0)
        return 0;
    pthread_mutex_lock(&lock);
    if (slots[h.slot].live && slots[h.slot].generation == h.generation) { // SAFE
        assert(slots[h.slot].value > 0); // SAFE
        slots[h.slot].live = 0;
        assert(live_slots > 0); // UNKNOWN (a count of elements that are in use)
        live_slots--;
        closed_handles++;
        ok = 1;
    }
    assert(closed_handles <= opened); // SAFE
    assert(live_slots == (int)(opened - closed_handles)); // SAFE
    pthread_mutex_unlock(&lock);
    return ok;
}

static void *user(void *arg) {
    int id = (int)(long)arg;
    for (int i = 0; i < 3; i++) {
        struct handle h = handle_open(id + 1);
        assert(h.slot < SLOTS); // SAFE
        if (h.slot >= 0) {
            assert(h.generation > 0); // SAFE
            int first = handle_close(h);
            assert(first == 1); // UNKNOWN (a handle of who has it)
            int second = handle_close(h);
            assert(second == 0); // UNKNOWN (a handle of who has had it)
        }
    }
    return 0;
}

int main(void) {
    pthread_t t[2];
    for (long i = 0; i < 2; i++)
        pthread_create(&t[i], 0, user, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    assert(live_slots == 0); // UNKNOWN (a handle of who has it)
    assert(opened == closed_handles); // SAFE
    assert(opened == 6); // UNKNOWN (elements that others have)
    unsigned first = slots[0].generation; // SAFE
    assert(first == 7); // UNSAFE!
    return 0;
}
