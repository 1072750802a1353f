// ARGS: --properties assertion,data-race
// Traffic lights of a crossing: never green both ways; the state machine runs in one thread, sensors in others.
#include <assert.h>
#include <pthread.h>

typedef enum { RED, AMBER, GREEN } light;
typedef enum { NS_GO, NS_STOP, EW_GO, EW_STOP } phase;
static light ns = GREEN, ew = RED;
static phase ph = NS_GO;
static int waiting_ns, waiting_ew;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void step(void) {
    switch (ph) {
    case NS_GO: if (waiting_ew) { ns = AMBER; ph = NS_STOP; } break;
    case NS_STOP: ns = RED; ew = GREEN; ph = EW_GO; waiting_ew = 0; break;
    case EW_GO: if (waiting_ns) { ew = AMBER; ph = EW_STOP; } break;
    case EW_STOP: ew = RED; ns = GREEN; ph = NS_GO; waiting_ns = 0; break;
    }
}

static void *controller(void *a) {
    for (int round = 0; round < 40; round++) {
        pthread_mutex_lock(&m);
        step();
        assert(ns == RED || ew == RED); // SAFE
        assert(!(ns == GREEN && ph != NS_GO)); // SAFE
        pthread_mutex_unlock(&m);
    }
    return a;
}

static void *sensor(void *a) {
    int *w = a;
    pthread_mutex_lock(&m);
    *w = 1;
    assert(ns == RED || ew == RED); // SAFE
    assert(ew != GREEN || ns == RED); // SAFE
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_t c, s1, s2;
    pthread_create(&c, 0, controller, 0);
    pthread_create(&s1, 0, sensor, &waiting_ns);
    pthread_create(&s2, 0, sensor, &waiting_ew);
    pthread_join(s1, 0);
    pthread_join(s2, 0);
    pthread_mutex_lock(&m);
    assert(ns == RED || ew == RED); // SAFE
    assert(ns != RED || ew != RED); // SAFE
    assert(ns == GREEN); // UNSAFE!
    pthread_mutex_unlock(&m);
    pthread_join(c, 0);
    return 0;
}
