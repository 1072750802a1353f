// ARGS: --properties assertion
// What many threads add is not so many times what each adds: some are not joined, or more are started, or some add nothing.
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
#define N 10
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int joined_late, started_twice, sometimes, by_others_too, torn;
static unsigned char small;
static pthread_t t[2 * N];

static void more(int *counter) {
    pthread_mutex_lock(&lock);
    ++*counter;
    pthread_mutex_unlock(&lock);
}

static void *late(void *unused) { more(&joined_late); return 0; }
static void *twice(void *unused) { more(&started_twice); return 0; }
static void *maybe(void *unused) {
    if (__VERIFIER_nondet_int())
        more(&sometimes);
    return 0;
}
static void *counted(void *unused) { more(&by_others_too); return 0; }
static void *starter(void *unused) {
    pthread_t child;
    pthread_create(&child, 0, counted, 0);
    pthread_detach(child);
    return 0;
}
static void *race(void *unused) { torn++; return 0; }
static void *wraps(void *unused) {
    pthread_mutex_lock(&lock);
    small += 50;
    pthread_mutex_unlock(&lock);
    return 0;
}

static void run(void *(*f)(void *), int from) {
    for (int i = 0; i < N; i++)
        pthread_create(&t[from + i], 0, f, 0);
}

static void join(int from, int to) {
    for (int i = from; i < to; i++)
        pthread_join(t[i], 0);
}

int main(void) {
    pthread_t s;
    for (int i = 0; i < N; i++)
        pthread_create(&t[i], 0, late, 0);
    for (int i = 0; i < N - 1; i++)
        pthread_join(t[i], 0);
    pthread_mutex_lock(&lock);
    __goblint_check(joined_late == N); // UNSAFE!
    pthread_mutex_unlock(&lock);
    pthread_join(t[N - 1], 0);
    run(twice, 0);
    run(twice, N);
    join(0, 2 * N);
    __goblint_check(started_twice <= N); // UNSAFE!
    run(maybe, 0);
    join(0, N);
    __goblint_check(sometimes == N); // UNSAFE!
    pthread_create(&s, 0, starter, 0);
    run(counted, 0);
    join(0, N);
    pthread_mutex_lock(&lock);
    __goblint_check(by_others_too <= N); // UNSAFE!
    pthread_mutex_unlock(&lock);
    pthread_join(s, 0);
    run(race, 0);
    join(0, N);
    __goblint_check(torn == N); // UNSAFE! (undefined: two threads add at one time)
    run(wraps, 0);
    join(0, N);
    __goblint_check(small == 500); // UNSAFE!
    return 0;
}
