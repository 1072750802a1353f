// A connection's life: states, a socket that is there in some, a retry count that is bounded, an error that tells why.
#include <assert.h>
#include <pthread.h>

enum state { IDLE, CONNECTING, OPEN, CLOSING, BROKEN };

static struct {
    pthread_mutex_t m;
    enum state state;
    int fd, retries, error, in_flight;
} conn = {.m = PTHREAD_MUTEX_INITIALIZER, .fd = -1};

extern int __VERIFIER_nondet_int(void);

static void invariant(void) {
    assert((conn.state == IDLE || conn.state == BROKEN) == (conn.fd == -1)); // SAFE
    assert(conn.state == BROKEN || conn.error == 0); // SAFE
    assert(conn.state != BROKEN || conn.error > 0); // SAFE
    assert(conn.state == OPEN || conn.state == CLOSING || conn.in_flight == 0); // SAFE
    assert(conn.retries <= 3); // SAFE
}

static void *dialer(void *arg) {
    for (int i = 0; i < 4; i++) {
        pthread_mutex_lock(&conn.m);
        switch (conn.state) {
        case IDLE:
            conn.fd = 3;
            conn.state = CONNECTING;
            break;
        case CONNECTING:
            if (__VERIFIER_nondet_int()) {
                conn.state = OPEN;
                conn.retries = 0;
            } else if (++conn.retries == 3) {
                conn.fd = -1;
                conn.error = 111;
                conn.state = BROKEN;
            }
            break;
        case BROKEN:
            conn.error = 0;
            conn.retries = 0;
            conn.state = IDLE;
            break;
        default:
            break;
        }
        invariant();
        pthread_mutex_unlock(&conn.m);
    }
    return arg;
}

static void *sender(void *arg) {
    for (int i = 0; i < 4; i++) {
        pthread_mutex_lock(&conn.m);
        if (conn.state == OPEN) {
            assert(conn.fd >= 0); // SAFE
            conn.in_flight++;
        } else if (conn.in_flight > 0)
            conn.in_flight--;
        pthread_mutex_unlock(&conn.m);
    }
    return arg;
}

static void *closer(void *arg) {
    pthread_mutex_lock(&conn.m);
    if (conn.state == OPEN)
        conn.state = CLOSING;
    if (conn.state == CLOSING && conn.in_flight == 0) {
        conn.fd = -1;
        conn.state = IDLE;
    }
    invariant();
    pthread_mutex_unlock(&conn.m);
    return arg;
}

int main(void) {
    pthread_t d, s, c;
    pthread_create(&d, 0, dialer, 0);
    pthread_create(&s, 0, sender, 0);
    pthread_create(&c, 0, closer, 0);
    pthread_join(d, 0);
    pthread_join(s, 0);
    pthread_join(c, 0);
    invariant();
    assert(conn.in_flight >= 0); // SAFE
    assert(conn.retries == 0); // UNSAFE!
    return 0;
}
