// ARGS: --properties deadlock
// Locks that are local variables, or of one thread each, are locks like others: who takes a plain one twice waits for ever.
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

struct account {
    pthread_mutex_t lock;
    int balance;
};

static _Thread_local pthread_mutex_t own;

static void deposit(struct account *account) {
    pthread_mutex_lock(&account->lock); // UNSAFE!
    account->balance++;
    pthread_mutex_unlock(&account->lock);
}

static void deposit_again(struct account *account) {
    pthread_mutex_lock(&account->lock); // SAFE
    account->balance++;
    pthread_mutex_unlock(&account->lock);
}

static void of_kind(int kind) {
    pthread_mutexattr_t attributes;
    struct account account;

    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, kind);
    pthread_mutex_init(&account.lock, &attributes);
    pthread_mutex_lock(&account.lock); // SAFE
    if (kind == PTHREAD_MUTEX_RECURSIVE)
        deposit_again(&account);
    else if (__VERIFIER_nondet_int())
        deposit(&account);
    pthread_mutex_unlock(&account.lock);
}

static void *worker(void *argument) {
    pthread_mutex_t brief;

    (void)argument;
    pthread_mutex_init(&own, 0);
    pthread_mutex_lock(&own); // SAFE
    if (__VERIFIER_nondet_int())
        pthread_mutex_lock(&own); // UNSAFE!
    pthread_mutex_unlock(&own);
    pthread_mutex_lock(&own); // SAFE
    pthread_mutex_init(&brief, 0);
    pthread_mutex_lock(&brief); // SAFE
    if (__VERIFIER_nondet_int()) {
        pthread_mutex_trylock(&brief);
        pthread_mutex_lock(&brief); // UNSAFE!
    }
    pthread_mutex_unlock(&brief);
    pthread_mutex_unlock(&own);
    return 0;
}

int main(void) {
    pthread_t thread;

    of_kind(PTHREAD_MUTEX_RECURSIVE);
    of_kind(PTHREAD_MUTEX_NORMAL);
    pthread_create(&thread, 0, worker, 0);
    pthread_join(thread, 0);
    return 0;
}
