// ARGS: --properties assertion
// A door as a state machine: its states change under a lock, in one order, and what goes with each is counted.
#include <assert.h>
#include <pthread.h>

enum state { CLOSED, OPENING, OPEN, CLOSING };

static enum state state = CLOSED;
static int motor_on, opens, closes, cycles;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void step(void) {
    pthread_mutex_lock(&lock);
    switch (state) {
    case CLOSED:
        assert(!motor_on); // SAFE
        assert(opens == closes); // SAFE
        state = OPENING;
        motor_on = 1;
        break;
    case OPENING:
        assert(motor_on); // SAFE
        state = OPEN;
        motor_on = 0;
        opens++;
        break;
    case OPEN:
        assert(opens == closes + 1); // SAFE
        state = CLOSING;
        motor_on = 1;
        break;
    case CLOSING:
        assert(motor_on); // SAFE
        state = CLOSED;
        motor_on = 0;
        closes++;
        cycles++;
        break;
    default:
        assert(0); // UNREACHABLE
    }
    assert(motor_on == (state == OPENING || state == CLOSING)); // SAFE
    assert(cycles == closes); // SAFE
    pthread_mutex_unlock(&lock);
}

static void *user(void *arg) {
    for (int i = 0; i < 6; i++)
        step();
    return arg;
}

static void *watch(void *arg) {
    pthread_mutex_lock(&lock);
    assert(opens >= closes); // SAFE
    assert(opens <= closes + 1); // SAFE
    if (state == CLOSED)
        assert(motor_on == 0); // SAFE
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void) {
    pthread_t a, b, w;
    pthread_create(&a, 0, user, 0);
    pthread_create(&b, 0, user, 0);
    pthread_create(&w, 0, watch, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(w, 0);
    assert(state == CLOSED); // UNKNOWN (what state there is after so many steps)
    assert(cycles == 3); // UNKNOWN (what state there is after so many steps)
    assert(opens == 3); // SAFE
    assert(closes == 2); // UNSAFE!
    return 0;
}
