// ARGS: --properties data-race
// As numbers_drawn.c, but a number is drawn twice, or elements are those of more than one number.
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#define N 40
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int split, ring, back, maybe, kept; // SAFE
static unsigned char small;                // SAFE
static atomic_int halves, longer, peeked, other, ignored, set_again, handed, last, plus;
static int in_two[N], rings[N], given_back[N], may_be[N], or_first[N], smalls[256], half[N], five[N + 8], peek[N + 4];
static int of_two[N], not_seen[N + 4], anew[N], by_two[N + 4], in_turn[N + 4];

static void *worker(void *unused) {
    for (int round = 0; round < N; round++) {
        pthread_mutex_lock(&m);
        int i = split;
        pthread_mutex_unlock(&m);
        usleep(20);
        in_two[i % N]++; // UNSAFE!
        pthread_mutex_lock(&m);
        split = i + 1;
        pthread_mutex_unlock(&m);
    }
    for (int round = 0; round < 2 * N; round++) {
        pthread_mutex_lock(&m);
        int i = ring++;
        if (ring == 1)
            ring = 0;
        pthread_mutex_unlock(&m);
        usleep(20);
        rings[i]++; // UNSAFE!
    }
    for (int round = 0; round < N; round++) {
        pthread_mutex_lock(&m);
        int i = back++;
        pthread_mutex_unlock(&m);
        usleep(20);
        given_back[i]++; // UNSAFE!
        pthread_mutex_lock(&m);
        back--;
        pthread_mutex_unlock(&m);
        usleep(20);
        given_back[i]++; // UNSAFE!
    }
    for (int round = 0; round < N; round++) {
        pthread_mutex_lock(&m);
        int i = maybe;
        if (round % 4 == 3)
            maybe = i + 1;
        pthread_mutex_unlock(&m);
        usleep(20);
        may_be[i]++; // UNSAFE!
    }
    for (int round = 0; round < N; round++) {
        int i = 0;
        pthread_mutex_lock(&m);
        if (kept < N)
            i = kept++;
        pthread_mutex_unlock(&m);
        usleep(20);
        or_first[i]++; // UNSAFE!
    }
    for (int round = 0; round < N; round++) {
        pthread_mutex_lock(&m);
        int i = small;
        small += 64;
        pthread_mutex_unlock(&m);
        usleep(20);
        smalls[i]++; // UNSAFE!
    }
    return 0;
}

static void *at_once(void *unused) {
    for (int i; (i = atomic_fetch_add(&halves, 1)) < N;) {
        usleep(20);
        half[i / 8]++; // UNSAFE!
    }
    for (int i; (i = atomic_fetch_add(&longer, 4)) < N;)
        for (int j = i; j < i + 8; j++) {
            usleep(20);
            five[j]++; // UNSAFE!
        }
    for (int i; (i = atomic_fetch_add(&peeked, 1)) < N;) {
        usleep(20);
        peek[atomic_load(&peeked)]++; // UNSAFE!
    }
    return 0;
}

static void *first(void *unused) {
    for (int i; (i = atomic_fetch_add(&halves, 1)) < N;) {
        usleep(20);
        of_two[i]++; // UNSAFE!
    }
    for (int i; (i = atomic_fetch_add(&set_again, 1)) < N;) {
        usleep(20);
        anew[i]++; // UNSAFE!
    }
    return 0;
}

static void *second(void *unused) {
    for (int i; (i = atomic_fetch_add(&other, 1)) < N;) {
        usleep(20);
        of_two[i]++; // UNSAFE!
    }
    atomic_store(&set_again, 0);
    for (int i; (i = atomic_fetch_add(&set_again, 1)) < N;) {
        usleep(20);
        anew[i]++; // UNSAFE!
    }
    return 0;
}

static void *compares(void *unused) {
    for (int round = 0; round < N; round++) {
        int i = atomic_load(&ignored), expected = i;
        usleep(20);
        not_seen[i]++; // UNSAFE!
        atomic_compare_exchange_strong(&ignored, &expected, i + 1);
    }
    for (int round = 0; round < N; round++) {
        int i = atomic_load(&plus), expected = i + 1;
        if (!atomic_compare_exchange_strong(&plus, &expected, i + 2)) {
            expected = i;
            if (!atomic_compare_exchange_strong(&plus, &expected, i + 1))
                continue;
        } {
        usleep(20);
        by_two[i]++; // UNSAFE!
    }
    }
    for (int i; (i = atomic_fetch_add(&handed, 1)) < N;) {
        atomic_store(&last, i);
        usleep(20);
        in_turn[atomic_load(&last)]++; // UNSAFE!
    }
    return 0;
}

static void run(void *(*one)(void *), void *(*another)(void *)) {
    pthread_t a, b;
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, another, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
}

int main(void) {
    run(worker, worker);
    run(at_once, at_once);
    atomic_store(&halves, 0);
    run(first, second);
    run(compares, compares);
    return 0;
}
