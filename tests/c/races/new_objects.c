// ARGS: --properties data-race
// Objects are filled before others can know them, and given to one thread each.
#include <pthread.h>
#include <stdlib.h>

#define JOBS 6

struct job {
    int id, result, late;
    struct job *next;
};

static struct job *queue; // SAFE
static int total; // SAFE
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static struct job *new_job(int id) {
    struct job *job = malloc(sizeof(struct job)); // SAFE
    if (job == 0) {
        exit(1);
    }
    job->id = id;
    job->result = 0;
    job->next = 0;
    return job;
}

static void put(struct job *job) {
    pthread_mutex_lock(&mutex);
    job->next = queue;
    queue = job;
    pthread_mutex_unlock(&mutex);
    job->late = 1; // UNSAFE!
}

static struct job *get(void) {
    pthread_mutex_lock(&mutex);
    struct job *job = queue;
    if (job != 0) {
        queue = job->next;
        total += job->id;
    }
    pthread_mutex_unlock(&mutex);
    return job;
}

static void *producer(void *argument) {
    struct job *given = argument;
    given->result = given->id + 1;
    for (int i = 0; i < JOBS; i++) {
        put(new_job(i));
    }
    free(given);
    return 0;
}

static void *consumer(void *argument) {
    for (int i = 0; i < JOBS; i++) {
        struct job *job = get();
        if (job != 0 && job->late == 0) { // UNSAFE!
            return argument;
        }
    }
    return 0;
}

int main(void) {
    pthread_t threads[2 * JOBS];
    for (int i = 0; i < JOBS; i++) {
        struct job *job = new_job(i);
        pthread_create(&threads[i], 0, producer, job);
        pthread_create(&threads[JOBS + i], 0, consumer, 0);
    }
    for (int i = 0; i < 2 * JOBS; i++) {
        pthread_join(threads[i], 0);
    }
    return 0;
}
