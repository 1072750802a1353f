// Error numbers with gaps: what is not 0 is one of the two errors.
#include <pthread.h>
#include <assert.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int busy, result;

int try_open(void) {
    int error = 0;
    pthread_mutex_lock(&lock);
    if (busy == 1)
        error = -16;
    else if (busy == 2)
        error = -19;
    else
        busy = 1;
    pthread_mutex_unlock(&lock);
    return error;
}

void *client(void *unused) {
    int error = try_open();
    if (error) {
        assert(error == -16 || error == -19); // SAFE
        assert(error != -1); // SAFE
        assert(error == -19); // UNSAFE!
    }
    result = error;
    assert(result != -5); // SAFE
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, client, 0);
    pthread_create(&b, 0, client, 0);
    return 0;
}
