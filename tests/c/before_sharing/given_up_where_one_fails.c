// A job and the place for its answer are allocated together and given up together, by a pool of some number of threads.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct answer { int value; pthread_mutex_t lock; };
struct job { int kind, size; struct answer *answer; struct job *next; };
struct jobs { struct job *head; pthread_mutex_t lock; };
struct pool { unsigned count; pthread_t *workers; struct jobs *jobs; };

static void *work(void *given) {
    struct jobs *jobs = given;
    for (int tries = 0; tries < 30; tries++) {
        pthread_mutex_lock(&jobs->lock);
        struct job *job = jobs->head;
        if (job)
            jobs->head = job->next;
        pthread_mutex_unlock(&jobs->lock);
        if (job) {
            assert(job->kind == 7); // SAFE
            assert(job->size == 7); // UNSAFE! (undefined: it is not set in every second job)
            pthread_mutex_lock(&job->answer->lock);
            job->answer->value++;
            pthread_mutex_unlock(&job->answer->lock);
            free(job);
        }
    }
    return given;
}

static struct pool *create(unsigned count) {
    struct jobs *jobs = malloc(sizeof *jobs);
    struct pool *pool = malloc(sizeof *pool);
    if (!jobs || !pool)
        exit(1);
    jobs->head = 0;
    pthread_mutex_init(&jobs->lock, 0);
    pool->count = count;
    pool->jobs = jobs;
    pool->workers = malloc(count * sizeof(pthread_t));
    if (!pool->workers)
        exit(1);
    for (unsigned i = 0; i < count; i++)
        if (pthread_create(&pool->workers[i], 0, work, jobs))
            exit(1);
    return pool;
}

static struct answer *ask(struct pool *pool, int is_sized) {
    struct jobs *jobs = pool->jobs;
    struct job *job = malloc(sizeof *job);
    struct answer *answer = malloc(sizeof *answer);
    if (job && answer) {
        answer->value = 0;
        pthread_mutex_init(&answer->lock, 0);
        job->answer = answer;
        job->kind = 7;
        if (is_sized)
            job->size = 7;
        pthread_mutex_lock(&jobs->lock);
        job->next = jobs->head;
        jobs->head = job;
        pthread_mutex_unlock(&jobs->lock);
    } else if (job) {
        free(job);
        return 0;
    } else if (answer) {
        free(answer);
        return 0;
    }
    return answer;
}

int main(int argc, char **argv) {
    struct pool *pool = create(argc + 1);
    for (int i = 0; i < 20; i++)
        ask(pool, i % 2);
    for (unsigned i = 0; i < pool->count; i++)
        pthread_join(pool->workers[i], 0);
    return 0;
}
