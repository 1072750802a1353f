// ARGS: --properties assertion,array-bounds,null-dereference
// A pool of workers that take jobs, which are functions with an argument, from a list behind a mutex until it is closed.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#define WORKERS 3
#define JOBS 5
struct job {
    int (*run)(int);
    int argument;
    struct job *next;
};
static struct job *jobs;
static int queued, done, failed, closed;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t change = PTHREAD_COND_INITIALIZER;

static int twice(int x) { return 2 * x; }
static int refuse(int x) { return -1; }

static int submit(int (*run)(int), int argument) {
    struct job *new = malloc(sizeof *new);
    if (!new)
        return 0;
    new->run = run;
    new->argument = argument;
    pthread_mutex_lock(&lock);
    new->next = jobs; // SAFE
    jobs = new;
    queued++;
    pthread_cond_signal(&change);
    pthread_mutex_unlock(&lock);
    return 1;
}

static void *worker(void *unused) {
    int mine = 0;
    for (;;) {
        pthread_mutex_lock(&lock);
        while (!jobs && !closed)
            pthread_cond_wait(&change, &lock);
        if (!jobs) {
            assert(closed); // UNKNOWN (a list is empty when nobody puts in more)
            pthread_mutex_unlock(&lock);
            break;
        }
        struct job *job = jobs;
        jobs = job->next; // SAFE
        pthread_mutex_unlock(&lock);
        int result = job->run(job->argument); // UNKNOWN (members of several objects in a list)
        assert(result >= -1); // SAFE
        assert(result < 2 * JOBS); // SAFE
        mine++;
        pthread_mutex_lock(&lock);
        if (result < 0)
            failed++;
        else
            done++;
        assert(done >= 0 && failed >= 0); // SAFE
        assert(done + failed <= queued); // UNKNOWN (what is taken from a list was put in)
        __goblint_check(done + failed == mine); // UNSAFE!
        pthread_mutex_unlock(&lock);
        free(job);
    }
    return 0;
}

int main(void) {
    pthread_t pool[WORKERS];
    int accepted = 0;
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&pool[i], 0, worker, 0); // SAFE
    for (int i = 0; i < JOBS; i++)
        accepted += submit(i % 2 ? twice : refuse, i);
    assert(accepted <= JOBS); // SAFE
    pthread_mutex_lock(&lock);
    closed = 1;
    assert(queued == accepted); // UNKNOWN (what is left when all have added)
    pthread_cond_broadcast(&change);
    pthread_mutex_unlock(&lock);
    __goblint_check(jobs == 0); // UNSAFE!
    for (int i = 0; i < WORKERS; i++)
        pthread_join(pool[i], 0); // SAFE
    assert(jobs == 0); // UNKNOWN (what is left when all have taken)
    assert(done + failed == accepted); // UNKNOWN (what is left when all have taken)
    return 0;
}
