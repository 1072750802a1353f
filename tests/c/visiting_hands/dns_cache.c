// ARGS: --properties assertion,array-bounds
// A cache under a reader/writer lock: lookups share it, an insert evicts the oldest entry in turn.
#include <assert.h>
#include <pthread.h>

#define ENTRIES 8

struct entry {
    int key;
    int value;
    int used;
};

static struct entry entries[ENTRIES];
static int next_victim, filled;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static int resolve(int key) { return key * 2; }

static int lookup(int key, int *value) {
    int found = 0;
    pthread_rwlock_rdlock(&lock);
    assert(filled <= ENTRIES); // SAFE
    for (int i = 0; i < filled; i++) {
        assert(entries[i].used == 1); // UNKNOWN (elements in front of a count)
        if (entries[i].key == key) { // SAFE
            *value = entries[i].value; // SAFE
            found = 1;
            break;
        }
    }
    pthread_rwlock_unlock(&lock);
    return found;
}

static void insert(int key, int value) {
    pthread_rwlock_wrlock(&lock);
    struct entry *e = &entries[next_victim]; // SAFE
    e->key = key;
    e->value = value;
    e->used = 1;
    next_victim = (next_victim + 1) % ENTRIES;
    if (filled < ENTRIES)
        filled++;
    assert(next_victim >= 0 && next_victim < ENTRIES); // SAFE
    assert(filled >= next_victim); // SAFE
    assert(filled == ENTRIES || filled == next_victim); // UNKNOWN (an index that starts over, once all are filled)
    pthread_rwlock_unlock(&lock);
}

static void *client(void *arg) {
    int base = (int)(long)arg;
    for (int i = 0; i < 6; i++) {
        int key = base + i, value = 0;
        if (!lookup(key, &value)) {
            value = resolve(key);
            insert(key, value);
        }
        assert(value % 2 == 0); // SAFE
        assert(value == 2 * key); // UNKNOWN (what two members of one element say)
    }
    return 0;
}

int main(void) {
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], 0, client, (void *)(long)(i * 4));
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    assert(filled <= ENTRIES); // SAFE
    assert(next_victim == 6); // UNSAFE!
    return 0;
}
