// Locking through helpers that get the address of the lock.
#include <pthread.h>
#include <assert.h>

pthread_mutex_t table_lock = PTHREAD_MUTEX_INITIALIZER;
int rows, columns;

static void enter(pthread_mutex_t *lock) { pthread_mutex_lock(lock); }
static void leave(pthread_mutex_t *lock) { pthread_mutex_unlock(lock); }

void *grow(void *unused) {
    enter(&table_lock);
    rows = 10;
    columns = 3;
    assert(rows == 10); // SAFE
    columns = 0;
    rows = 0;
    leave(&table_lock);
    columns = 0;
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, grow, 0);
    pthread_create(&b, 0, grow, 0);
    enter(&table_lock);
    assert(rows == 0); // SAFE
    rows = 1;
    columns = 1;
    assert(rows == 1); // SAFE
    assert(columns == 1); // UNSAFE!
    columns = 0;
    rows = 0;
    leave(&table_lock);
    return 0;
}
