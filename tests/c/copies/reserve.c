// A reservation is computed from a copy, checked, and written back.
#include <pthread.h>
#include <assert.h>

#define SIZE 10

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int top;

int reserve(int count) {
    int start, end;
    pthread_mutex_lock(&lock);
    start = top;
    end = start + count;
    if (end > SIZE) {
        pthread_mutex_unlock(&lock);
        return -1;
    }
    top = end;
    assert(top <= SIZE); // SAFE
    pthread_mutex_unlock(&lock);
    return start;
}

void *client(void *unused) {
    int i, mine;
    for (i = 0; i < 4; i++) {
        mine = reserve(3);
        if (mine >= 0)
            assert(mine + 3 <= SIZE); // SAFE
        assert(mine != -1); // UNSAFE!
    }
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, client, 0);
    pthread_create(&b, 0, client, 0);
    return 0;
}
