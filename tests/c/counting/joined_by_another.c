// Who has ended is known through others, too: main joins the leader, and the leader has joined the worker.
#include <pthread.h>
#include <assert.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int done;

static void add(int by) {
    pthread_mutex_lock(&lock);
    done += by;
    pthread_mutex_unlock(&lock);
}

static void *worker(void *unused) {
    add(4);
    add(-1);
    return 0;
}

static void *idler(void *unused) {
    add(10);
    return 0;
}

static void *leader(void *unused) {
    pthread_t hand;
    pthread_create(&hand, 0, worker, 0);
    add(20);
    pthread_join(hand, 0);
    assert(done == 23 || done == 33); // UNKNOWN (of a sum the bounds are kept)
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, leader, 0);
    pthread_create(&b, 0, idler, 0);
    pthread_join(a, 0);
    assert(done >= 23); // SAFE
    assert(done <= 33); // SAFE
    assert(done == 23); // UNSAFE!
    pthread_join(b, 0);
    assert(done == 33); // SAFE
    return 0;
}
