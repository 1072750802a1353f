// The writer makes the counter odd while it writes and even when it is done.
#include <pthread.h>
#include <assert.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
unsigned sequence;
int value;

void *writer(void *unused) {
    int i;
    for (i = 0; i < 20; i++) {
        pthread_mutex_lock(&lock);
        assert(sequence % 2 == 0); // SAFE
        sequence++;
        value = i;
        assert(sequence % 2 == 1); // SAFE
        sequence++;
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

int main(void) {
    pthread_t a, b;
    unsigned start;
    pthread_create(&a, 0, writer, 0);
    pthread_create(&b, 0, writer, 0);
    start = sequence;
    start = start * 4 + 2;
    assert(start % 4 != 1); // SAFE
    start = start / 4;
    assert((start & 1) == 0); // UNSAFE!
    return 0;
}
