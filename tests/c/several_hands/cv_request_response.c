// ARGS: --properties assertion,data-race,deadlock
// A client asks, a server answers, through one slot with two flags.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

static struct { bool asked, answered; int q, a; } slot; // SAFE
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cv = PTHREAD_COND_INITIALIZER;

static int ask(int q) {
    pthread_mutex_lock(&m);
    assert(!slot.asked && !slot.answered); // SAFE
    slot.q = q;
    slot.asked = true;
    pthread_cond_broadcast(&cv);
    while (!slot.answered)
        pthread_cond_wait(&cv, &m);
    int a = slot.a;
    assert(slot.q == q); // SAFE
    slot.answered = false;
    pthread_mutex_unlock(&m);
    return a;
}

static void *server(void *arg) {
    for (int i = 0; i < 3; i++) {
        pthread_mutex_lock(&m);
        while (!slot.asked)
            pthread_cond_wait(&cv, &m);
        assert(!slot.answered); // SAFE
        slot.a = slot.q + 1;
        slot.asked = false;
        slot.answered = true;
        pthread_cond_broadcast(&cv);
        pthread_mutex_unlock(&m);
    }
    return 0;
}

int main(void) {
    pthread_t s;
    pthread_create(&s, 0, server, 0);
    for (int i = 0; i < 3; i++) {
        int a = ask(10 * i);
        assert(a == 10 * i + 1); // SAFE
        assert(a >= 1); // SAFE
        assert(a <= 21); // SAFE
    }
    pthread_join(s, 0);
    assert(!slot.asked); // SAFE
    return 0;
}
