// MySQL 4.0.12, bug 791: statements are missing in the binary log after FLUSH LOGS.
// Rotating the log closes it and opens the next file in two critical sections; a statement that is committed in between
// finds the log closed and takes that for "no log is kept".
#include <assert.h>
#include <pthread.h>

enum log_state { LOG_CLOSED, LOG_OPENED };

struct binlog {
    pthread_mutex_t lock;
    enum log_state state;
    int file;
};

static struct binlog binlog = {PTHREAD_MUTEX_INITIALIZER, LOG_CLOSED, 0};

int __VERIFIER_nondet_int(void);

static void log_open(int file) {
    pthread_mutex_lock(&binlog.lock);
    binlog.file = file;
    binlog.state = LOG_OPENED;
    pthread_mutex_unlock(&binlog.lock);
}

static void log_close(void) {
    pthread_mutex_lock(&binlog.lock);
    binlog.state = LOG_CLOSED;
    pthread_mutex_unlock(&binlog.lock);
}

/* FLUSH LOGS */
static void log_new_file(int next) {
    log_close();
    log_open(next);
}

/* Whether a statement was logged. */
static int log_write(void) {
    int is_logged = 0;
    pthread_mutex_lock(&binlog.lock);
    if (binlog.state == LOG_OPENED)
        is_logged = 1;
    pthread_mutex_unlock(&binlog.lock);
    return is_logged;
}

static void *client(void *unused) {
    int is_logged = log_write();
    assert(is_logged); // UNSAFE!
    return 0;
}

static void *administrator(void *unused) {
    log_new_file(2);
    log_new_file(3);
    return 0;
}

int main(void) {
    pthread_t thread;
    log_open(1);
    pthread_create(&thread, 0, administrator, 0);
    while (__VERIFIER_nondet_int())
        pthread_create(&thread, 0, client, 0);
    return 0;
}
