// A pool of connections with a free list by index; who finds none waits, and a count of users is kept beside it.
#include <assert.h>
#include <pthread.h>

#define SIZE 3
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t returned = PTHREAD_COND_INITIALIZER;
static int is_busy[SIZE];
static int available = SIZE, in_use, served;

static int acquire(void) {
    int found = -1;
    pthread_mutex_lock(&lock);
    while (available == 0)
        pthread_cond_wait(&returned, &lock);
    for (int i = 0; i < SIZE; i++)
        if (!is_busy[i]) {
            found = i;
            break;
        }
    available--;
    in_use++;
    assert(available >= 0); // SAFE
    assert(in_use <= SIZE); // SAFE
    assert(available + in_use == SIZE); // SAFE
    if (found >= 0)
        is_busy[found] = 1;
    pthread_mutex_unlock(&lock);
    return found;
}

static void release(int index) {
    pthread_mutex_lock(&lock);
    if (index >= 0)
        is_busy[index] = 0;
    assert(in_use >= 1); // SAFE
    assert(available < SIZE); // SAFE
    in_use--;
    available++;
    served++;
    pthread_cond_signal(&returned);
    pthread_mutex_unlock(&lock);
}

static void *request(void *unused) {
    for (int i = 0; i < 2; i++) {
        int mine = acquire();
        assert(mine < SIZE); // SAFE
        __goblint_check(mine == 0); // UNSAFE!
        release(mine);
    }
    return 0;
}

int main(void) {
    pthread_t t[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&t[i], 0, request, 0);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], 0);
    assert(in_use == 0); // SAFE
    assert(available == SIZE); // SAFE
    assert(served == 8); // SAFE
    return 0;
}
