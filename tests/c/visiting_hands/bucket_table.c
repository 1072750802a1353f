// ARGS: --properties assertion,array-bounds
// A hash table of counters: each bucket has a lock and a count of its own, the table a total of all entries.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#define BUCKETS 4

struct item {
    unsigned key;
    struct item *next;
};

struct bucket {
    pthread_mutex_t lock;
    struct item *chain;
    int count;
};

static struct bucket table[BUCKETS];
static pthread_mutex_t total_lock = PTHREAD_MUTEX_INITIALIZER;
static int total;

static int table_add(unsigned key) {
    struct bucket *b = &table[key % BUCKETS]; // SAFE
    int added = 1;
    pthread_mutex_lock(&b->lock);
    assert(b->count >= 0); // SAFE
    for (struct item *i = b->chain; i; i = i->next) {
        assert(i->key % BUCKETS == key % BUCKETS); // SAFE
        if (i->key == key)
            added = 0;
    }
    if (added) {
        struct item *i = malloc(sizeof *i);
        if (!i)
            abort();
        i->key = key;
        i->next = b->chain;
        b->chain = i;
        b->count++;
        assert(b->count > 0); // SAFE
        pthread_mutex_lock(&total_lock);
        total++;
        assert(total > 0); // SAFE
        pthread_mutex_unlock(&total_lock);
    }
    pthread_mutex_unlock(&b->lock);
    return added;
}

static void *worker(void *arg) {
    unsigned base = (unsigned)(long)arg;
    int mine = 0;
    for (unsigned i = 0; i < 6; i++)
        mine += table_add(base + i);
    assert(mine >= 0 && mine <= 6); // SAFE
    return (void *)(long)mine;
}

int main(void) {
    pthread_t t[2];
    int sum = 0, added = 0;
    for (int i = 0; i < BUCKETS; i++)
        pthread_mutex_init(&table[i].lock, 0);
    for (long i = 0; i < 2; i++)
        pthread_create(&t[i], 0, worker, (void *)(i * 10));
    for (int i = 0; i < 2; i++) {
        void *mine;
        pthread_join(t[i], &mine);
        added += (int)(long)mine;
    }
    for (int i = 0; i < BUCKETS; i++) {
        assert(table[i].count >= 0); // SAFE
        sum += table[i].count; // SAFE
    }
    assert(added == total); // SAFE
    assert(sum == total); // SAFE
    assert(total <= 12); // SAFE
    assert(total == 11); // UNSAFE!
    return 0;
}
