// ARGS: --properties deadlock
// HawkNL 1.6b3: nlClose and nlShutdown take the lock of a socket and that of the list of sockets in opposite orders.
// (Remembered as one of those that Dimmunix was evaluated with, Jula et al., OSDI 2008: docs/real-bugs.md.)
#include <pthread.h>

enum { NL_MAX_SOCKETS = 2 };

struct nl_socket {
    pthread_mutex_t lock;
    int is_open;
};

static struct nl_socket sockets[NL_MAX_SOCKETS] = {{PTHREAD_MUTEX_INITIALIZER, 1}, {PTHREAD_MUTEX_INITIALIZER, 1}};
static pthread_mutex_t list_lock = PTHREAD_MUTEX_INITIALIZER;
static int count = NL_MAX_SOCKETS;

int __VERIFIER_nondet_int(void);

/* A socket is removed from the list; its lock is held. */
static void return_socket(struct nl_socket *socket) {
    pthread_mutex_lock(&list_lock); // UNSAFE!
    if (socket->is_open) {
        socket->is_open = 0;
        count--;
    }
    pthread_mutex_unlock(&list_lock);
}

static void nl_close(struct nl_socket *socket) {
    pthread_mutex_lock(&socket->lock); // SAFE
    return_socket(socket);
    pthread_mutex_unlock(&socket->lock);
}

static void nl_shutdown(void) {
    pthread_mutex_lock(&list_lock);
    for (int i = 0; i < NL_MAX_SOCKETS; i++) {
        pthread_mutex_lock(&sockets[i].lock); // UNSAFE!
        sockets[i].is_open = 0;
        pthread_mutex_unlock(&sockets[i].lock);
    }
    count = 0;
    pthread_mutex_unlock(&list_lock);
}

static void *closer(void *unused) {
    nl_close(__VERIFIER_nondet_int() ? &sockets[0] : &sockets[1]);
    return 0;
}

static void *stopper(void *unused) {
    nl_shutdown();
    return 0;
}

int main(void) {
    pthread_t thread;
    while (__VERIFIER_nondet_int())
        pthread_create(&thread, 0, closer, 0);
    pthread_create(&thread, 0, stopper, 0);
    return 0;
}
