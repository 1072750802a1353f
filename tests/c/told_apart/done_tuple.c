// Three jobs, each with a flag of its own: the total is the sum of the amounts of those that are done.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int done_a, done_b, done_c, total;

static void *job_a(void *unused) {
    pthread_mutex_lock(&lock);
    if (!done_a) {
        done_a = 1;
        total += 100;
    }
    pthread_mutex_unlock(&lock);
    return 0;
}

static void *job_b(void *unused) {
    pthread_mutex_lock(&lock);
    if (!done_b) {
        done_b = 1;
        total += 20;
    }
    pthread_mutex_unlock(&lock);
    return 0;
}

static void *job_c(void *unused) {
    pthread_mutex_lock(&lock);
    if (!done_c) {
        done_c = 1;
        total += 3;
    }
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t t[6];
    void *(*jobs[3])(void *) = {job_a, job_b, job_c};
    for (int i = 0; i < 6; i++)
        pthread_create(&t[i], 0, jobs[i % 3], 0);
    pthread_mutex_lock(&lock);
    assert(total <= 123); // SAFE
    if (done_a && done_b && done_c)
        assert(total == 123); // SAFE
    if (!done_a && !done_b)
        assert(total <= 3); // SAFE
    if (done_a)
        assert(total >= 100); // SAFE
    pthread_mutex_unlock(&lock);
    return 0;
}
