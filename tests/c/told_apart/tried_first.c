// A thread that does not get the lock at once goes on without it, and remembers that: what it has put aside is handed in
// by the threads that do get it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int total, entries;
static atomic_int put_aside;

static void *record(void *unused) {
    int got = pthread_mutex_trylock(&lock) == 0;
    int mine = 1;
    if (!got) {
        atomic_fetch_add(&put_aside, mine);
        mine = 0;
    }
    if (got) {
        total += mine;
        entries++;
        assert(total == entries); // SAFE
        assert(mine == 1); // SAFE
    }
    if (got)
        pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t t;
    for (int i = 0; i < 3; i++)
        pthread_create(&t, 0, record, 0);
    pthread_mutex_lock(&lock);
    assert(total == entries); // SAFE
    pthread_mutex_unlock(&lock);
    return 0;
}
