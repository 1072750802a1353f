// A barrier of three made of a condition: each arrival is a flag of its own, so that all are known to have come.
#include <pthread.h>
#include <assert.h>

#define N 3
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t all = PTHREAD_COND_INITIALIZER;
static int here[N], result[N], count;

static int everybody(void) {
    return here[0] && here[1] && here[2];
}

static void *member(void *argument) {
    long me = (long)argument;
    result[me] = (int)me + 1;
    assert(count == 0); // UNSAFE!
    pthread_mutex_lock(&guard);
    here[me] = 1;
    count++;
    if (everybody()) pthread_cond_broadcast(&all);
    while (!everybody()) pthread_cond_wait(&all, &guard);
    pthread_mutex_unlock(&guard);
    assert(result[0] == 1); // SAFE
    assert(result[1] == 2); // SAFE
    assert(result[2] == 3); // SAFE
    return 0;
}

int main(void) {
    pthread_t members[N];
    for (long i = 0; i < N; i++) pthread_create(&members[i], 0, member, (void *)i);
    for (int i = 0; i < N; i++) pthread_join(members[i], 0);
    assert(here[0] && here[1] && here[2]); // SAFE
    assert(result[0] + result[1] + result[2] == 6); // SAFE
    assert(count == N); // SAFE
    return 0;
}
