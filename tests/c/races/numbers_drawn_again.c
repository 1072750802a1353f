// ARGS: --properties data-race
// As numbers_drawn.c, but of two counters, or of one that is set again while a thread has a number.
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#define N 40
static atomic_int one, other, set_again;
static int of_two[N], anew[N];

static void *first(void *unused) {
    for (int i; (i = atomic_fetch_add(&one, 1)) < N;) {
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

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    return 0;
}
