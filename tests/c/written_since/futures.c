// A pool of two threads that works off a queue of jobs, each with a future that somebody waits for.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#define JOBS 3
enum state { FREE, QUEUED, RUNNING, DONE };
struct future {
    enum state state;
    int argument, result;
};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t work = PTHREAD_COND_INITIALIZER, finished = PTHREAD_COND_INITIALIZER;
static struct future futures[JOBS];
static int submitted, started, completed;
static bool shut_down;

static int submit(int argument) {
    pthread_mutex_lock(&lock);
    int at = submitted;
    assert(at < JOBS); // SAFE
    assert(futures[at].state == FREE); // UNKNOWN (what is in an array between two indices)
    futures[at].argument = argument;
    futures[at].state = QUEUED;
    submitted++;
    pthread_cond_signal(&work);
    pthread_mutex_unlock(&lock);
    return at;
}

static void *worker(void *unused) {
    pthread_mutex_lock(&lock);
    while (1) {
        while (started == submitted && !shut_down)
            pthread_cond_wait(&work, &lock);
        if (started == submitted)
            break;
        struct future *mine = &futures[started++];
        assert(started <= submitted); // SAFE
        assert(mine->state == QUEUED); // UNKNOWN (what is in an array between two indices)
        mine->state = RUNNING;
        int argument = mine->argument;
        pthread_mutex_unlock(&lock);
        int result = argument * 2;
        pthread_mutex_lock(&lock);
        assert(mine->state == RUNNING); // UNKNOWN (an element is the work of who has drawn it)
        mine->result = result;
        mine->state = DONE;
        completed++;
        assert(completed <= started); // SAFE
        __goblint_check(completed == started); // UNSAFE!
        pthread_cond_broadcast(&finished);
    }
    assert(shut_down); // UNKNOWN (a flag that is never taken back)
    assert(started == submitted); // SAFE
    pthread_mutex_unlock(&lock);
    return NULL;
}

static int get(int at) {
    pthread_mutex_lock(&lock);
    while (futures[at].state != DONE)
        pthread_cond_wait(&finished, &lock);
    int result = futures[at].result;
    assert(completed >= 1); // UNKNOWN (what an element says was counted)
    pthread_mutex_unlock(&lock);
    return result;
}

int main(void) {
    pthread_t workers[2];
    int tickets[JOBS];
    for (int i = 0; i < 2; i++)
        pthread_create(&workers[i], NULL, worker, NULL);
    for (int i = 0; i < JOBS; i++)
        tickets[i] = submit(10 + i);
    for (int i = 0; i < JOBS; i++) {
        int result = get(tickets[i]);
        assert(result >= 20 && result <= 24); // UNKNOWN (members of several objects)
        assert(result == 2 * (10 + i)); // SAFE
    }
    pthread_mutex_lock(&lock);
    assert(completed == JOBS); // UNKNOWN (what is left when all have been worked off)
    shut_down = true;
    pthread_cond_broadcast(&work);
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < 2; i++)
        pthread_join(workers[i], NULL);
    assert(started == JOBS); // SAFE
    return 0;
}
