// ARGS: --properties assertion,null-dereference,array-bounds,data-race
// A hash table of entries that are added under a lock, never removed.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#define BUCKETS 32
struct entry { unsigned key; int value; };
static struct entry *bucket[BUCKETS]; // SAFE
static pthread_mutex_t mx = PTHREAD_MUTEX_INITIALIZER;

static int lookup_or_add(unsigned key) {
    unsigned h = key % BUCKETS;
    int v = 0;
    pthread_mutex_lock(&mx);
    struct entry *e = bucket[h]; // SAFE
    if (e == NULL) {
        e = malloc(sizeof(struct entry));
        if (e != NULL) {
            e->key = key;
            e->value = 1;
            bucket[h] = e;
        }
    }
    if (e != NULL) {
        assert(e->key % BUCKETS == h); // UNKNOWN (members of objects that are found in a table)
        assert(e->value >= 1); // SAFE
        if (e->value < 100)
            e->value++;
        v = e->value; // SAFE
    }
    pthread_mutex_unlock(&mx);
    return v;
}

static void *client(void *arg) {
    unsigned k = (unsigned)(unsigned long)arg;
    for (int i = 0; i < 10; i++) {
        int v = lookup_or_add(k + i);
        assert(v >= 0); // SAFE
        assert(v <= 100); // SAFE
        assert(v != 1); // UNKNOWN (members of objects that are found in a table)
    }
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, 0, client, (void *)3UL);
    pthread_create(&t2, 0, client, (void *)7UL);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    for (int i = 0; i < BUCKETS; i++)
        if (bucket[i])
            assert(bucket[i]->value >= 2); // UNKNOWN (members of objects that are found in a table)
    return 0;
}
