// A call that goes from idle over ringing to talking and back; two parties and a switchboard that counts.
#include <assert.h>
#include <pthread.h>

enum { IDLE, RINGING, TALKING };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int state = IDLE, lines_used, calls, answered;

static void *caller(void *unused) {
    for (int i = 0; i < 3; i++) {
        pthread_mutex_lock(&lock);
        if (state == IDLE) {
            state = RINGING;
            calls++;
            lines_used = 1;
        } else if (state == TALKING) {
            assert(lines_used == 2); // SAFE
            state = IDLE;
            lines_used = 0;
        }
        assert(state != TALKING); // SAFE
        assert(state == RINGING || lines_used == 0); // SAFE
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

static void *callee(void *unused) {
    for (int i = 0; i < 3; i++) {
        pthread_mutex_lock(&lock);
        switch (state) {
        case RINGING:
            assert(lines_used == 1); // SAFE
            state = TALKING;
            lines_used = 2;
            answered++;
            break;
        case TALKING:
            assert(lines_used == 2); // SAFE
            break;
        default:
            assert(lines_used == 0); // SAFE
            break;
        }
        assert(lines_used == state); // SAFE
        assert(answered <= calls); // SAFE
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, caller, 0);
    pthread_create(&b, 0, callee, 0);
    pthread_join(a, 0);
    assert(calls >= 1); // SAFE
    assert(calls <= 3); // SAFE
    pthread_join(b, 0);
    assert(answered <= 3); // SAFE
    __goblint_check(answered >= 1); // UNSAFE!
    return 0;
}
