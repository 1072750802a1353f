// A barrier that too few threads come to keeps them for ever; one for a single thread keeps nobody.
#include <pthread.h>
#include <assert.h>

pthread_barrier_t never, always;

void *waits(void *unused) {
    int result = pthread_barrier_wait(&always);
    assert(result == PTHREAD_BARRIER_SERIAL_THREAD); // SAFE
    pthread_barrier_wait(&never);
    assert(0); // UNREACHABLE
    return 0;
}

int main(void) {
    pthread_t a;
    int refused = pthread_barrier_init(&never, 0, 0);
    __goblint_check(refused == 0); // UNSAFE!
    pthread_barrier_init(&never, 0, 3);
    pthread_barrier_init(&always, 0, 1);
    pthread_create(&a, 0, waits, 0);
    pthread_barrier_wait(&never);
    assert(0); // UNREACHABLE
    return 0;
}
