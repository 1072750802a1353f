// ARGS: --properties data-race
// As numbers_drawn.c, but elements are those of more than one number, or of one that was only read.
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#define N 40
static atomic_int halves, longer, peeked, ignored, handed, last, plus;
static int half[N], five[N + 8], peek[N + 4], not_seen[N + 4], by_two[N + 4], in_turn[N + 4];

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
    for (int round = 0; round < N; round++) {
        if (round % 8 == 0)
            atomic_fetch_add(&peeked, 1);
        usleep(20);
        peek[atomic_load(&peeked)]++; // UNSAFE!
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

static void *both(void *unused) {
    at_once(0);
    return compares(0);
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, both, 0);
    pthread_create(&b, 0, both, 0);
    return 0;
}
