// ARGS: --properties assertion,data-race,deadlock
// A public function that locks calls another public one that locks again.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m;
static int balance = 100; // SAFE
static int log_entries; // SAFE

static void add_log(void) {
    pthread_mutex_lock(&m);
    log_entries++;
    pthread_mutex_unlock(&m);
}

static int withdraw(int n) {
    int ok = 0;
    pthread_mutex_lock(&m);
    int before = log_entries;
    if (balance >= n) {
        balance -= n;
        add_log();
        assert(log_entries == before + 1); // SAFE
        ok = 1;
    }
    assert(balance >= 0); // SAFE
    pthread_mutex_unlock(&m);
    return ok;
}

static void *client(void *arg) {
    for (int i = 0; i < 4; i++) {
        pthread_mutex_lock(&m);
        int could = balance >= 15;
        int did = withdraw(15);
        assert(could == did); // SAFE
        pthread_mutex_unlock(&m);
    }
    return 0;
}

int main(void) {
    pthread_mutexattr_t at;
    pthread_mutexattr_init(&at);
    pthread_mutexattr_settype(&at, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&m, &at);
    pthread_t t[2];
    pthread_create(&t[0], 0, client, 0);
    pthread_create(&t[1], 0, client, 0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    assert(balance == 10); // UNKNOWN (how often something can be taken)
    assert(log_entries == 6); // SAFE
    assert(balance + 15 * log_entries == 100); // SAFE
    assert(balance >= 15); // UNSAFE!
    return 0;
}
