// ARGS: --properties data-race
// As numbers_drawn.c, but a number is drawn twice: not under one lock, or set back.
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#define N 40
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int split, ring, back, maybe, kept; // SAFE
static unsigned char small;                // SAFE
static int in_two[N], rings[N], given_back[N], may_be[N], or_first[N], smalls[256];

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

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    return 0;
}
