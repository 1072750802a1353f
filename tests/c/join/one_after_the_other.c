// The second thread starts only after the first was joined, so the two never meet.
#include <pthread.h>
#include <assert.h>

int bench, hammer;

void *morning(void *unused) {
    bench = 1;
    assert(bench == 1); // SAFE
    hammer = 1;
    assert(hammer == 1); // UNSAFE!
    return 0;
}

void *evening(void *unused) {
    bench = 2;
    assert(bench == 2); // SAFE
    return 0;
}

int main(void) {
    pthread_t m, e;
    pthread_create(&m, 0, morning, 0);
    hammer = 2;
    pthread_join(m, 0);
    pthread_create(&e, 0, evening, 0);
    assert(hammer >= 1); // SAFE
    pthread_join(e, 0);
    return 0;
}
