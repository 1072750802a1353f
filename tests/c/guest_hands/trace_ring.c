// ARGS: --properties assertion,array-bounds,overflow
// A trace of the latest events: old ones are written over and counted as lost.
#include <assert.h>
#include <pthread.h>

#define SIZE 8

struct event {
    int who, number;
};

static struct event trace[SIZE];
static int start, length, lost, written;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void log_event(int who, int number) {
    pthread_mutex_lock(&m);
    int at = (start + length) % SIZE; // SAFE
    trace[at].who = who; // SAFE
    trace[at].number = number; // SAFE
    written++; // SAFE
    if (length < SIZE)
        length++;
    else {
        start = (start + 1) % SIZE; // SAFE
        lost++; // SAFE
    }
    assert(length >= 1 && length <= SIZE); // SAFE
    assert(length + lost == written); // SAFE
    assert(start >= 0 && start < SIZE); // SAFE
    assert(lost == 0 || length == SIZE); // UNKNOWN (one of two numbers beside an index)
    pthread_mutex_unlock(&m);
}

static void *task(void *arg) {
    int who = (int)(long)arg;
    for (int i = 0; i < 5; i++)
        log_event(who, i);
    return 0;
}

int main(void) {
    pthread_t t[3];
    for (long i = 0; i < 3; i++)
        pthread_create(&t[i], 0, task, (void *)(i + 1));
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    assert(written == 15); // SAFE
    assert(length == SIZE); // SAFE
    assert(lost == 7); // SAFE
    for (int i = 0; i < length; i++) {
        struct event e = trace[(start + i) % SIZE]; // SAFE
        assert(e.who >= 0 && e.who <= 3); // SAFE
        assert(e.number < 5); // SAFE
    }
    int oldest = trace[start].who; // SAFE
    assert(oldest == 1); // UNSAFE!
    return 0;
}
