// ARGS: --properties assertion,data-race,deadlock
// Two accounts with a lock each; a transfer takes both, the smaller number first.
#include <assert.h>
#include <pthread.h>

typedef struct { int id; int balance; pthread_mutex_t lock; } account;
static account A = {1, 300, PTHREAD_MUTEX_INITIALIZER}, B = {2, 200, PTHREAD_MUTEX_INITIALIZER};

static int transfer(account *from, account *to, int n) {
    account *lo = from->id < to->id ? from : to;
    account *hi = from->id < to->id ? to : from;
    int done = 0;
    pthread_mutex_lock(&lo->lock);
    pthread_mutex_lock(&hi->lock);
    if (from->balance >= n) {
        from->balance -= n;
        to->balance += n;
        done = 1;
    }
    assert(from->balance >= 0); // SAFE
    assert(A.balance + B.balance == 500); // SAFE
    pthread_mutex_unlock(&hi->lock);
    pthread_mutex_unlock(&lo->lock);
    return done;
}

static void *t1(void *x) { for (int i = 0; i < 5; i++) transfer(&A, &B, 70); return x; }
static void *t2(void *x) { for (int i = 0; i < 5; i++) transfer(&B, &A, 50); return x; }

static void *peek(void *x) {
    pthread_mutex_lock(&A.lock);
    int a = A.balance;
    assert(a >= 0); // SAFE
    assert(a <= 500); // SAFE
    pthread_mutex_unlock(&A.lock);
    return x;
}

int main(void) {
    pthread_t p, q, r;
    pthread_create(&p, 0, t1, 0);
    pthread_create(&q, 0, t2, 0);
    pthread_create(&r, 0, peek, 0);
    pthread_join(p, 0);
    pthread_join(q, 0);
    pthread_join(r, 0);
    assert(A.balance + B.balance == 500); // SAFE
    assert(B.balance <= 500); // SAFE
    assert(A.balance == 200); // UNSAFE!
    return 0;
}
