// ARGS: --parameterized --entries add,evict
// A budget of bytes: adding evicts first when it would be exceeded.
#include <pthread.h>
#include <assert.h>

#define BUDGET 100
extern int __VERIFIER_nondet_int(void);
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int used, loose = 60;

void add(void) {
    int size = __VERIFIER_nondet_int();
    if (size <= 0 || size > 40) return;
    pthread_mutex_lock(&lock);
    if (used > 60) used = 0;
    used = used + size;
    assert(used > 0); // SAFE
    assert(used <= BUDGET); // SAFE
    pthread_mutex_unlock(&lock);
    if (loose <= 60) loose = loose + 40;
    assert(loose <= BUDGET); // UNSAFE!
}

void evict(void) {
    pthread_mutex_lock(&lock);
    if (used >= 10) used = used - 10;
    assert(used >= 0); // SAFE
    assert(used <= 90); // SAFE
    pthread_mutex_unlock(&lock);
}
