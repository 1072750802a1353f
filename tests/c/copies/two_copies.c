// What is learnt of one copy holds of the other, until the global moves on.
#include <pthread.h>
#include <assert.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int level;

void *pump(void *unused) {
    int i, seen, again;
    for (i = 0; i < 30; i++) {
        pthread_mutex_lock(&lock);
        seen = level;
        again = level;
        if (seen > 19) {
            assert(again > 19); // SAFE
            level = 0;
            assert(again == 0); // UNSAFE!
        } else {
            level = again + 1;
        }
        assert(level <= 20); // SAFE
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, pump, 0);
    pthread_create(&b, 0, pump, 0);
    return 0;
}
