// Counts that each thread keeps behind a key, added up under a lock when it ends.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct counts {
    int calls, errors;
};

static pthread_key_t key;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int all_calls, all_errors, merged;

static struct counts *mine(void) {
    struct counts *c = pthread_getspecific(key);
    if (!c) {
        c = calloc(1, sizeof *c);
        if (!c)
            abort();
        assert(c->calls == 0); // SAFE
        pthread_setspecific(key, c);
    }
    return c;
}

static void call(int fails) {
    struct counts *c = mine();
    c->calls++;
    if (fails)
        c->errors++;
    assert(c->errors <= c->calls); // SAFE
}

static void *worker(void *arg) {
    int n = *(int *)arg;
    for (int i = 0; i < n; i++)
        call(i == 2);
    struct counts *c = mine();
    assert(c->calls == n); // SAFE
    assert(c->errors <= 1); // SAFE
    pthread_mutex_lock(&m);
    all_calls += c->calls;
    all_errors += c->errors;
    merged++;
    assert(all_errors <= all_calls); // SAFE
    assert(all_errors <= merged); // SAFE
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_t a, b;
    int five = 5, two = 2;
    pthread_key_create(&key, free);
    assert(pthread_getspecific(key) == NULL); // SAFE
    pthread_create(&a, 0, worker, &five);
    pthread_create(&b, 0, worker, &two);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(merged == 2); // SAFE
    assert(all_calls == 7); // SAFE
    assert(all_errors <= 2); // SAFE
    assert(all_errors == 1); // SAFE
    assert(all_errors == 2); // UNSAFE!
    return 0;
}
