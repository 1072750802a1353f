// ARGS: --properties assertion
// Jobs in a list with both ends, their number, and room for some of them only: who brings one waits for room, who takes
// one waits for a job. The list is as long as `pending` says whenever the lock is free.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#define ROOM 3
#define JOBS 4

typedef struct job {
    int cost;
    struct job *next;
} job;

static struct {
    pthread_mutex_t mutex;
    pthread_cond_t has_job, has_room;
    job *head, *tail;
    int pending;
    bool closed;
} list = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, PTHREAD_COND_INITIALIZER, NULL, NULL, 0, false};

static long done_cost;
static pthread_mutex_t cost_lock = PTHREAD_MUTEX_INITIALIZER;

static void bring(int cost) {
    job *j = malloc(sizeof *j);
    if (j == NULL)
        exit(EXIT_FAILURE);
    j->cost = cost;
    j->next = NULL;
    pthread_mutex_lock(&list.mutex);
    while (list.pending == ROOM)
        pthread_cond_wait(&list.has_room, &list.mutex);
    assert(list.pending < ROOM); // SAFE
    if (list.pending == 0) {
        assert(list.head == NULL); // UNKNOWN (the length of a list)
        assert(list.tail == NULL); // UNKNOWN (the length of a list)
        list.head = j;
    } else {
        assert(list.tail != NULL); // UNKNOWN (the length of a list)
        list.tail->next = j;
    }
    list.tail = j;
    list.pending++;
    assert(list.pending <= ROOM); // SAFE
    pthread_cond_signal(&list.has_job);
    pthread_mutex_unlock(&list.mutex);
}

static job *next_job(void) {
    pthread_mutex_lock(&list.mutex);
    while (list.pending == 0 && !list.closed)
        pthread_cond_wait(&list.has_job, &list.mutex);
    if (list.pending == 0) {
        assert(list.closed); // SAFE
        assert(list.head == NULL); // UNKNOWN (the length of a list)
        pthread_mutex_unlock(&list.mutex);
        return NULL;
    }
    job *j = list.head;
    assert(j != NULL); // UNKNOWN (the length of a list)
    list.head = j->next;
    if (list.head == NULL)
        list.tail = NULL;
    list.pending--;
    assert(list.pending >= 0); // SAFE
    assert((list.head == NULL) == (list.tail == NULL)); // UNKNOWN (the length of a list)
    pthread_cond_signal(&list.has_room);
    pthread_mutex_unlock(&list.mutex);
    return j;
}

static void *worker(void *arg) {
    (void)arg;
    for (;;) {
        job *j = next_job();
        if (j == NULL)
            break;
        int cost = j->cost;
        assert(cost > 0); // SAFE
        free(j);
        pthread_mutex_lock(&cost_lock);
        done_cost += cost;
        assert(done_cost > 0); // SAFE
        pthread_mutex_unlock(&cost_lock);
    }
    return NULL;
}

int main(void) {
    pthread_t w[2];
    for (int i = 0; i < 2; i++)
        if (pthread_create(&w[i], NULL, worker, NULL))
            exit(EXIT_FAILURE);
    for (int i = 1; i <= JOBS; i++)
        bring(i);
    pthread_mutex_lock(&list.mutex);
    assert(!list.closed); // SAFE
    assert(list.pending == 0); // UNSAFE!
    list.closed = true;
    pthread_cond_broadcast(&list.has_job);
    pthread_mutex_unlock(&list.mutex);
    for (int i = 0; i < 2; i++)
        pthread_join(w[i], NULL);
    assert(list.pending == 0); // SAFE
    assert(list.head == NULL); // SAFE
    assert(done_cost == 1 + 2 + 3 + 4); // UNKNOWN (what all jobs cost together)
    return 0;
}
