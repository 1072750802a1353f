// An event loop on a thread of its own: others post events of three kinds and one that stops it.
#include <assert.h>
#include <pthread.h>

enum kind { NONE, READ, WRITE, STOP };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t posted = PTHREAD_COND_INITIALIZER, taken = PTHREAD_COND_INITIALIZER;
static enum kind pending = NONE;
static int reads, writes, posts;
static int is_running = 1;

static void post(enum kind kind) {
    pthread_mutex_lock(&lock);
    while (pending != NONE)
        pthread_cond_wait(&taken, &lock);
    pending = kind;
    posts++;
    assert(pending == kind); // SAFE
    pthread_cond_signal(&posted);
    pthread_mutex_unlock(&lock);
}

static void *loop(void *unused) {
    int handled = 0;
    while (is_running) {
        pthread_mutex_lock(&lock);
        while (pending == NONE)
            pthread_cond_wait(&posted, &lock);
        enum kind kind = pending;
        pending = NONE;
        assert(posts >= 1); // SAFE (needs octagon)
        assert(posts > handled); // UNKNOWN (what was put in a box was counted)
        pthread_cond_broadcast(&taken);
        pthread_mutex_unlock(&lock);
        assert(kind == READ || kind == WRITE || kind == STOP); // SAFE
        __goblint_check(kind != STOP); // UNSAFE!
        handled++;
        if (kind == READ)
            reads++;
        else if (kind == WRITE)
            writes++;
        else
            is_running = 0;
    }
    assert(handled >= 1); // SAFE
    assert(reads + writes == handled - 1); // SAFE
    return 0;
}

static void *client(void *unused) {
    post(READ);
    post(WRITE);
    return 0;
}

int main(void) {
    pthread_t l, a, b;
    pthread_create(&l, 0, loop, 0);
    pthread_create(&a, 0, client, 0);
    pthread_create(&b, 0, client, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_mutex_lock(&lock);
    assert(posts == 4); // SAFE
    pthread_mutex_unlock(&lock);
    post(STOP);
    pthread_join(l, 0);
    assert(!is_running); // SAFE
    assert(posts == 5); // SAFE
    assert(reads <= 2); // UNKNOWN (how often each kind was put in a box)
    assert(reads + writes == 4); // UNKNOWN (what is left when all have taken)
    assert(pending == NONE); // SAFE (needs octagon)
    return 0;
}
