// A job goes through phases under a lock; watchers see them in order, the results only when it is done.
#include <assert.h>
#include <pthread.h>

enum phase { NEW, RUNNING, DONE, FAILED };

struct job {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    enum phase phase;
    int progress, result, error;
};

static struct job job = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, NEW, 0, 0, 0};

static void *run(void *arg) {
    int bad = *(int *)arg;
    pthread_mutex_lock(&job.lock);
    assert(job.phase == NEW); // SAFE
    job.phase = RUNNING;
    pthread_mutex_unlock(&job.lock);
    for (int i = 0; i < 4; i++) {
        pthread_mutex_lock(&job.lock);
        job.progress += 25;
        assert(job.progress <= 100); // SAFE
        assert(job.phase == RUNNING); // SAFE
        pthread_mutex_unlock(&job.lock);
    }
    pthread_mutex_lock(&job.lock);
    if (bad) {
        job.phase = FAILED;
        job.error = 7;
    } else {
        job.phase = DONE;
        job.result = 42;
    }
    pthread_cond_broadcast(&job.changed);
    pthread_mutex_unlock(&job.lock);
    return 0;
}

static void *watch(void *unused) {
    pthread_mutex_lock(&job.lock);
    int seen = job.progress;
    assert(job.phase != NEW || seen == 0); // SAFE
    while (job.phase != DONE && job.phase != FAILED) {
        pthread_cond_wait(&job.changed, &job.lock);
        assert(job.progress >= seen); // SAFE
        seen = job.progress;
    }
    assert(job.progress == 100); // SAFE
    assert(job.phase != DONE || job.result == 42); // SAFE
    assert(job.phase != FAILED || job.error == 7); // SAFE
    assert(job.result == 0 || job.error == 0); // SAFE
    pthread_mutex_unlock(&job.lock);
    return unused;
}

int main(void) {
    pthread_t r, w[2];
    int bad = 0;
    pthread_create(&r, 0, run, &bad);
    for (int i = 0; i < 2; i++)
        pthread_create(&w[i], 0, watch, 0);
    pthread_join(r, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(w[i], 0);
    assert(job.phase == DONE); // SAFE
    assert(job.result == 42 && job.error == 0); // SAFE
    assert(job.progress != 100); // UNSAFE!
    return 0;
}
