// ARGS: --properties assertion,array-bounds,data-race
// A door as a state machine under a lock: requests move it along legal transitions, a motor thread ends the moves.
#include <assert.h>
#include <pthread.h>

enum state { CLOSED, OPENING, OPEN, CLOSING };
static const char *const names[] = {"closed", "opening", "open", "closing"};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static enum state state = CLOSED; // SAFE
static int position; // SAFE
static int opened; // SAFE
static int closed;
static int refused;

static int request(enum state wanted) {
    int ok = 0;
    pthread_mutex_lock(&lock);
    if (wanted == OPEN && state == CLOSED) {
        assert(position == 0); // SAFE
        state = OPENING;
        ok = 1;
    } else if (wanted == CLOSED && state == OPEN) {
        assert(position == 2); // SAFE
        state = CLOSING;
        ok = 1;
    }
    pthread_mutex_unlock(&lock);
    if (!ok)
        refused++; // UNSAFE!
    return ok;
}

static void *motor(void *unused) {
    for (int tick = 0; tick < 6; tick++) {
        pthread_mutex_lock(&lock);
        assert(position >= 0 && position <= 2); // SAFE
        switch (state) {
        case OPENING:
            assert(position < 2); // SAFE
            if (++position == 2) {
                state = OPEN;
                opened++;
            }
            break;
        case CLOSING:
            assert(position > 0); // SAFE
            if (--position == 0) {
                state = CLOSED;
                closed++;
            }
            break;
        default:
            assert(position == (state == OPEN ? 2 : 0)); // SAFE
        }
        const char *name = names[state]; // SAFE
        assert(name[0] == 'c' || name[0] == 'o'); // UNKNOWN (a disjunction about one of several strings)
        assert(closed <= opened); // SAFE
        assert(opened - closed <= 1); // SAFE
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

static void *visitor(void *unused) {
    int ok = request(OPEN);
    __goblint_check(ok); // UNSAFE!
    ok = request(CLOSED);
    __goblint_check(!ok); // UNSAFE!
    return 0;
}

int main(void) {
    pthread_t m, a, b;
    pthread_create(&m, 0, motor, 0);
    pthread_create(&a, 0, visitor, 0);
    pthread_create(&b, 0, visitor, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(m, 0);
    assert(opened <= 3); // SAFE
    assert(refused >= 0 && refused <= 4); // UNKNOWN (updates that may be lost)
    return 0;
}
