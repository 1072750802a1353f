// ARGS: --properties assertion,unreach-call
// More threads than are told apart, or any number of them: what they add is so many times what each adds.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
#define WORKERS 20
#define ROUNDS 1000
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long total;
static int finished, visitors, odd, even;

static void *worker(void *unused) {
    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(&lock);
        total += 3;
        assert(total <= 3L * WORKERS * ROUNDS); // SAFE
        pthread_mutex_unlock(&lock);
    }
    pthread_mutex_lock(&lock);
    finished++;
    assert(finished <= WORKERS); // SAFE
    __goblint_check(finished < WORKERS); // UNSAFE!
    pthread_mutex_unlock(&lock);
    return 0;
}

static void *visitor(void *number) {
    pthread_mutex_lock(&lock);
    visitors++;
    if ((long)number & 1)
        odd++;
    else
        even++;
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t workers[WORKERS];
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&workers[i], 0, worker, 0);
    __goblint_check(finished == WORKERS); // UNSAFE!
    for (int i = 0; i < WORKERS; i++)
        pthread_join(workers[i], 0);
    assert(finished == WORKERS); // SAFE
    assert(total == 60000); // SAFE

    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 500)
        return 0;
    pthread_t *t = malloc((n + 1) * sizeof *t);
    if (t == NULL)
        return 0;
    for (long i = 0; i < n; i++)
        pthread_create(&t[i], 0, visitor, (void *)i);
    pthread_mutex_lock(&lock);
    assert(visitors <= n); // SAFE
    __goblint_check(visitors < n); // UNSAFE!
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < n; i++)
        pthread_join(t[i], 0);
    assert(odd + even == n); // SAFE
    assert(odd <= n); // SAFE
    __goblint_check(odd == even); // UNSAFE!
    if (visitors != n)
        reach_error(); // SAFE
    if (visitors > 499)
        reach_error(); // UNSAFE!
    free(t);
    return 0;
}
