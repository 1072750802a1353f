// ARGS: --properties assertion,data-race,array-bounds
// A work stealing deque with a lock: the owner takes at the bottom, thieves at the top; each job is run once.
#include <assert.h>
#include <pthread.h>

#define CAP 32
static int jobs[CAP]; // SAFE
static int top, bottom; // SAFE
static int ran[CAP];
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static int steal(void) {
    int job = -1;
    pthread_mutex_lock(&m);
    if (top < bottom)
        job = jobs[top++]; // SAFE
    pthread_mutex_unlock(&m);
    return job;
}

static int pop(void) {
    int job = -1;
    pthread_mutex_lock(&m);
    if (bottom > top)
        job = jobs[--bottom]; // SAFE
    assert(top <= bottom); // SAFE
    pthread_mutex_unlock(&m);
    return job;
}

static void *thief(void *unused) {
    int job;
    while ((job = steal()) >= 0) {
        assert(job < CAP); // SAFE
        ran[job] = 1; // UNKNOWN (numbers taken from both ends)
    }
    return 0;
}

int main(void) {
    pthread_t a, b;
    int job;
    for (int i = 0; i < CAP; i++)
        jobs[bottom++] = i;
    pthread_create(&a, 0, thief, 0);
    pthread_create(&b, 0, thief, 0);
    while ((job = pop()) >= 0)
        ran[job] = 1;
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(top == bottom); // SAFE
    assert(top < bottom); // UNSAFE!
    return 0;
}
