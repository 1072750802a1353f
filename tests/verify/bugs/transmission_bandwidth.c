// ARGS: --properties null-dereference
// Transmission 1.42, ticket 1818: the thread that serves events is started before the session has its bandwidth object.
// It follows the pointer to it at once, and the pointer may still be null.
#include <pthread.h>
#include <stdlib.h>

struct bandwidth {
    int limit;
};

struct session {
    pthread_mutex_t lock;
    struct bandwidth *bandwidth;
    int is_closing;
};

static struct session session = {PTHREAD_MUTEX_INITIALIZER, 0, 0};

int __VERIFIER_nondet_int(void);

static struct bandwidth *bandwidth_new(void) {
    struct bandwidth *made = malloc(sizeof *made);
    if (!made)
        exit(1);
    made->limit = 0;
    return made;
}

static void bandwidth_allocate(struct bandwidth *bandwidth, int limit) {
    bandwidth->limit = limit; // UNSAFE!
}

/* The loop of the thread that serves events. */
static void *event_thread(void *unused) {
    for (;;) {
        pthread_mutex_lock(&session.lock);
        if (session.is_closing) {
            pthread_mutex_unlock(&session.lock);
            return 0;
        }
        bandwidth_allocate(session.bandwidth, __VERIFIER_nondet_int());
        pthread_mutex_unlock(&session.lock);
    }
}

static void event_init(void) {
    pthread_t thread;
    pthread_create(&thread, 0, event_thread, 0);
}

int main(void) {
    event_init();
    struct bandwidth *made = bandwidth_new();
    pthread_mutex_lock(&session.lock);
    session.bandwidth = made;
    pthread_mutex_unlock(&session.lock);
    pthread_mutex_lock(&session.lock);
    session.is_closing = 1;
    pthread_mutex_unlock(&session.lock);
    return 0;
}
