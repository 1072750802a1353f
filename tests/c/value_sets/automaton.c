// The states of an automaton are sparse; each step of the locked thread goes to a known one.
#include <pthread.h>
#include <assert.h>

enum { IDLE = 1, READING = 10, WRITING = 20, CLOSED = 99 };

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int state = IDLE;

void *driver(void *unused) {
    int round;
    for (round = 0; round < 3; round++) {
        pthread_mutex_lock(&lock);
        switch (state) {
        case IDLE:
            state = READING;
            break;
        case READING:
            state = WRITING;
            break;
        case WRITING:
            state = IDLE;
            break;
        case CLOSED:
            break;
        default:
            assert(0); // UNREACHABLE
        }
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

int main(void) {
    pthread_t a;
    int now;
    pthread_create(&a, 0, driver, 0);
    pthread_mutex_lock(&lock);
    now = state;
    if (now != IDLE && now != READING)
        assert(now == WRITING); // SAFE
    state = CLOSED;
    pthread_mutex_unlock(&lock);
    assert(state == CLOSED); // SAFE
    assert(now != READING); // UNSAFE!
    return 0;
}
