// ARGS: --properties assertion,data-race
// A connection whose state goes only certain ways.
#include <assert.h>
#include <pthread.h>

enum state { CLOSED, CONNECTING, OPEN, CLOSING };

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static enum state state = CLOSED;
static int fd = -1;
static int opened, closed;

static void set(enum state from, enum state to) {
    assert(state == from); // SAFE
    state = to;
}

static void connect_start(void) {
    pthread_mutex_lock(&m);
    if (state == CLOSED)
        set(CLOSED, CONNECTING);
    pthread_mutex_unlock(&m);
}

static void connect_done(int handle) {
    pthread_mutex_lock(&m);
    if (state == CONNECTING) {
        assert(fd == -1); // SAFE
        fd = handle;
        opened++;
        set(CONNECTING, OPEN);
    }
    pthread_mutex_unlock(&m);
}

static void send_something(void) {
    pthread_mutex_lock(&m);
    if (state == OPEN) {
        assert(fd >= 3); // SAFE
        assert(opened == closed + 1); // SAFE
    }
    pthread_mutex_unlock(&m);
}

static void shut(void) {
    pthread_mutex_lock(&m);
    switch (state) {
    case OPEN:
        set(OPEN, CLOSING);
        break;
    case CLOSING:
        assert(fd != -1); // SAFE
        fd = -1;
        closed++;
        set(CLOSING, CLOSED);
        assert(opened == closed); // SAFE
        break;
    case CONNECTING:
        set(CONNECTING, CLOSED);
        break;
    default:
        assert(fd == -1); // SAFE
    }
    pthread_mutex_unlock(&m);
}

static void *client(void *arg) {
    int handle = 3 + (arg != NULL);
    for (int i = 0; i < 10; i++) {
        connect_start();
        connect_done(handle);
        send_something();
        shut();
    }
    return NULL;
}

int main(void) {
    pthread_t a, b;
    int one = 1;
    pthread_create(&a, NULL, client, NULL);
    pthread_create(&b, NULL, client, &one);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(opened >= closed); // SAFE
    assert(opened - closed <= 1); // SAFE
    if (state == CLOSED)
        assert(fd == -1); // SAFE
    return 0;
}
