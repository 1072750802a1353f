// ARGS: --properties assertion,array-bounds
// A pool of workers: jobs submitted, running and finished are counted under the pool's lock; the pool drains at its end.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#define WORKERS 3
#define JOBS 12

struct job {
    struct job *next;
    int input;
    int *result;
};

static struct job *queue_head, *queue_tail;
static int queued, running, finished;
static bool closed;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int results[JOBS];

static void submit(int input) {
    struct job *job = malloc(sizeof *job);
    if (!job)
        abort();
    job->next = NULL;
    job->input = input;
    job->result = &results[input];
    pthread_mutex_lock(&lock);
    assert(!closed); // SAFE
    if (queue_tail)
        queue_tail->next = job;
    else
        queue_head = job;
    queue_tail = job;
    queued++;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

static void *worker(void *arg) {
    for (;;) {
        pthread_mutex_lock(&lock);
        while (!queue_head && !closed)
            pthread_cond_wait(&changed, &lock);
        if (!queue_head) {
            assert(closed); // SAFE
            pthread_mutex_unlock(&lock);
            return arg;
        }
        struct job *job = queue_head;
        queue_head = job->next;
        if (!queue_head)
            queue_tail = NULL;
        assert(queued > 0); // SAFE
        queued--;
        running++;
        assert(running <= WORKERS); // SAFE
        pthread_mutex_unlock(&lock);

        assert(job->input >= 0 && job->input < JOBS); // SAFE
        *job->result = job->input * job->input;
        free(job);

        pthread_mutex_lock(&lock);
        assert(running > 0); // SAFE
        running--;
        finished++;
        assert(finished <= JOBS); // SAFE
        pthread_mutex_unlock(&lock);
    }
}

int main(void) {
    pthread_t t[WORKERS];
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&t[i], 0, worker, 0);
    for (int i = 0; i < JOBS; i++)
        submit(i);
    pthread_mutex_lock(&lock);
    closed = true;
    assert(queued + running + finished == JOBS); // SAFE
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(t[i], 0);
    assert(running == 0); // SAFE
    assert(queued == 0); // UNKNOWN (the length of a list)
    assert(finished == JOBS); // SAFE
    for (int i = 0; i < JOBS; i++)
        assert(results[i] <= (JOBS - 1) * (JOBS - 1)); // SAFE
    int four = results[2]; // SAFE
    assert(four == 5); // UNSAFE!
    return 0;
}
