// A connection as a switch; the peer may reset it at any time.
#include <pthread.h>
#include <assert.h>

enum state { CLOSED, OPENING, OPEN, CLOSING };
enum state state = CLOSED;

void *machine(void *unused) {
    int steps = 0;
    while (1) {
        int s = state;
        switch (s) {
        case CLOSED:
            state = OPENING;
            break;
        case OPENING:
            state = OPEN;
            /* fall through */
        case OPEN:
            assert(s >= OPENING); // SAFE
            assert(state == OPEN); // UNSAFE!
            steps = 1;
            break;
        case CLOSING:
            state = CLOSED;
            continue;
        default:
            reach_error(); // UNREACHABLE
        }
        assert(steps <= 1); // SAFE
    }
    return 0;
}

void *peer(void *unused) {
    while (1) state = CLOSING;
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, machine, 0);
    pthread_create(&b, 0, peer, 0);
    assert(state <= CLOSING); // SAFE
    pthread_join(a, 0);
    return 0;
}
