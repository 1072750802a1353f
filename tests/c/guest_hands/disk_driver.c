// A driver with one request at a time: submit, interrupt, completion, removal.
#include <assert.h>
#include <pthread.h>

enum state { IDLE, BUSY, DONE, GONE };

struct device {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    enum state state;
    int submitted, completed, error;
};

static struct device disk = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, IDLE, 0, 0, 0};

static int submit(struct device *d, int bad) {
    int result = -1;
    pthread_mutex_lock(&d->lock);
    while (d->state == BUSY || d->state == DONE)
        pthread_cond_wait(&d->changed, &d->lock);
    if (d->state == GONE) {
        pthread_mutex_unlock(&d->lock);
        return result;
    }
    assert(d->state == IDLE); // SAFE
    assert(d->submitted == d->completed); // SAFE
    d->state = BUSY;
    d->error = bad;
    d->submitted++;
    pthread_cond_broadcast(&d->changed);
    while (d->state == BUSY)
        pthread_cond_wait(&d->changed, &d->lock);
    assert(d->state == DONE); // SAFE
    result = d->error;
    assert(result == 0 || result == 5); // SAFE
    d->state = IDLE;
    pthread_cond_broadcast(&d->changed);
    pthread_mutex_unlock(&d->lock);
    return result;
}

static void *interrupts(void *unused) {
    struct device *d = &disk;
    pthread_mutex_lock(&d->lock);
    while (d->completed < 4) {
        if (d->state == BUSY) {
            assert(d->submitted == d->completed + 1); // SAFE
            d->error = d->error ? 5 : 0;
            d->completed++;
            d->state = DONE;
            pthread_cond_broadcast(&d->changed);
        } else
            pthread_cond_wait(&d->changed, &d->lock);
    }
    pthread_mutex_unlock(&d->lock);
    return unused;
}

static void *client(void *arg) {
    int bad = arg != 0;
    for (int i = 0; i < 2; i++) {
        int r = submit(&disk, bad);
        assert(r == 0 || r == 5); // SAFE
    }
    return 0;
}

int main(void) {
    pthread_t i, a, b;
    pthread_create(&i, 0, interrupts, 0);
    pthread_create(&a, 0, client, 0);
    pthread_create(&b, 0, client, &disk);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(i, 0);
    assert(disk.state == IDLE); // UNKNOWN (what is proved by cubes backwards alone)
    assert(disk.submitted == 4); // SAFE
    assert(disk.completed == 4); // SAFE
    pthread_mutex_lock(&disk.lock);
    disk.state = GONE;
    pthread_mutex_unlock(&disk.lock);
    int r = submit(&disk, 0);
    assert(r == -1); // SAFE
    assert(disk.error == 0); // UNSAFE!
    return 0;
}
