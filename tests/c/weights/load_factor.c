// A table grows as soon as it is three quarters full. Growing doubles its size in the same section, so that at most three
// quarters and one element are in use whenever the lock is free: 4 * used <= 3 * size + 4 after each insertion at the latest.
#include <assert.h>
#include <pthread.h>

static struct table {
    pthread_mutex_t lock;
    int used;
    int size;
} table = {PTHREAD_MUTEX_INITIALIZER, 0, 16};

static void grow(void) {
    table.size *= 2;
}

static void insert(void) {
    pthread_mutex_lock(&table.lock);
    if (4 * table.used >= 3 * table.size)
        grow();
    table.used++;
    assert(4 * table.used <= 3 * table.size + 4); // SAFE
    pthread_mutex_unlock(&table.lock);
}

static void *client(void *unused) {
    insert();
    insert();
    return 0;
}

static void *reader(void *unused) {
    pthread_mutex_lock(&table.lock);
    assert(4 * table.used <= 3 * table.size + 4); // SAFE
    assert(table.size >= 16); // SAFE
    pthread_mutex_unlock(&table.lock);
    return 0;
}

int main(void) {
    pthread_t t;
    for (int i = 0; i < 4; i++)
        pthread_create(&t, 0, client, 0);
    pthread_create(&t, 0, reader, 0);
    return 0;
}
