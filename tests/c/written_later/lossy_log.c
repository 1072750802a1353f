// A log of events with room for a few: when it is full the oldest are overwritten and counted as lost.
#include <assert.h>
#include <pthread.h>

#define ROOM 4
struct event { int kind, number; };
static struct event events[ROOM];
static unsigned start, count, lost, recorded;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void record(int kind) {
    pthread_mutex_lock(&lock);
    unsigned at = (start + count) % ROOM;
    assert(at < ROOM); // SAFE
    events[at].kind = kind;
    events[at].number = (int)recorded;
    recorded++;
    if (count < ROOM)
        count++;
    else {
        start = (start + 1) % ROOM;
        lost++;
    }
    assert(count <= ROOM); // SAFE
    assert(count >= 1); // SAFE
    assert(recorded == count + lost || recorded > 10); // SAFE
    pthread_mutex_unlock(&lock);
}

static int drain(void) {
    int drained = 0;
    pthread_mutex_lock(&lock);
    while (count > 0) {
        assert(start < ROOM); // SAFE
        int kind = events[start].kind;
        assert(kind == 1 || kind == 2); // UNKNOWN (what is in an array between two indices)
        start = (start + 1) % ROOM;
        count--;
        drained++;
        assert(drained <= ROOM); // SAFE
    }
    assert(count == 0); // SAFE
    pthread_mutex_unlock(&lock);
    return drained;
}

static void *program(void *unused) {
    for (int i = 0; i < 3; i++)
        record(1);
    return 0;
}

static void *device(void *unused) {
    for (int i = 0; i < 3; i++)
        record(2);
    __goblint_check(lost == 0); // UNSAFE!
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, program, 0);
    pthread_create(&b, 0, device, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(recorded == 6); // SAFE
    assert(count == 4); // SAFE
    assert(lost == 2); // SAFE
    int found = drain();
    assert(found == 4); // SAFE
    assert(count == 0); // SAFE
    return 0;
}
