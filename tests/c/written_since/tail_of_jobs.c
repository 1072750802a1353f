// A list of jobs with a pointer to its end.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <stdbool.h>
struct job { int id, cost; struct job *next; };
static struct job *first, **last = &first;
static int queued, taken, finished;
static bool closed;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static void add(int id) {
    struct job *j = malloc(sizeof *j);
    if (!j) exit(1);
    j->id = id; j->cost = id * 3; j->next = NULL;
    pthread_mutex_lock(&m);
    *last = j;
    last = &j->next;
    queued++;
    assert(first != NULL); // UNKNOWN (what a pointer to a pointer leads to)
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
}
static struct job *take(void) {
    pthread_mutex_lock(&m);
    while (!first && !closed) pthread_cond_wait(&c, &m);
    struct job *j = first;
    if (j) {
        first = j->next;
        if (!first) last = &first;
        taken++;
        assert(taken <= queued); // UNKNOWN (how many are in a list)
    }
    pthread_mutex_unlock(&m);
    return j;
}
static void *worker(void *u) {
    struct job *j;
    while ((j = take())) {
        assert(j->cost == 3 * j->id); // SAFE
        assert(j->id >= 1 && j->id <= 20); // SAFE
        free(j);
        pthread_mutex_lock(&m);
        finished++;
        assert(finished <= taken); // SAFE
        pthread_mutex_unlock(&m);
    }
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    for (int i = 1; i <= 20; i++) add(i);
    pthread_mutex_lock(&m);
    closed = true;
    pthread_cond_broadcast(&c);
    pthread_mutex_unlock(&m);
    pthread_join(a, 0); pthread_join(b, 0);
    assert(queued == 20); // SAFE
    assert(finished == taken); // SAFE
    assert(finished == 20); // UNKNOWN (what is left when all have ended)
    return 0;
}
