// ARGS: --properties assertion,array-bounds,overflow
// Items move in batches from an inbox to an outbox; the batch size is limited by both.
#include <pthread.h>
#include <assert.h>

#define INBOX 10
#define OUTBOX 6
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int inbox, outbox;
static int unlocked_view;

static void *arrivals(void *unused) {
    for (int i = 0; i < 6; i++) {
        pthread_mutex_lock(&lock);
        if (inbox <= INBOX - 2)
            inbox += 2; // SAFE
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

static void *mover(void *unused) {
    for (int i = 0; i < 6; i++) {
        pthread_mutex_lock(&lock);
        int batch = inbox;
        if (batch > 4) batch = 4;
        assert(batch <= 4); // SAFE
        int room = OUTBOX - outbox;
        if (batch > room) batch = room;
        inbox -= batch;
        outbox += batch;
        assert(outbox <= OUTBOX); // SAFE (needs octagon)
        assert(inbox >= 0); // SAFE (needs octagon)
        pthread_mutex_unlock(&lock);
        unlocked_view = inbox;
        assert(unlocked_view >= 0); // SAFE (needs octagon)
        assert(unlocked_view == inbox); // UNSAFE!
    }
    return 0;
}

static void *departures(void *unused) {
    for (int i = 0; i < 6; i++) {
        pthread_mutex_lock(&lock);
        if (outbox > 0) outbox--;
        assert(outbox >= 0); // SAFE (needs octagon)
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, 0, arrivals, 0);
    pthread_create(&b, 0, mover, 0);
    pthread_create(&c, 0, departures, 0);
    pthread_mutex_lock(&lock);
    assert(inbox <= INBOX); // SAFE
    pthread_mutex_unlock(&lock);
    return 0;
}
