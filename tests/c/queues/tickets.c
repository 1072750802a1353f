// ARGS: --parameterized --entries customer --init open_shop
// Tickets at a counter: numbers wrap at 100; the display is stepped without the lock by mistake.
#include <pthread.h>
#include <assert.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int next_ticket, display, open;

void open_shop(void) {
    open = 1;
    next_ticket = 0;
}

void customer(void) {
    int mine;
    pthread_mutex_lock(&lock);
    mine = next_ticket;
    next_ticket = next_ticket + 1;
    if (next_ticket == 100) next_ticket = 0;
    assert(next_ticket != mine); // UNKNOWN (two relations that no convex one holds apart)
    pthread_mutex_unlock(&lock);
    assert(open == 1); // SAFE
    assert(mine >= 0); // SAFE
    display = mine;
    assert(display == mine); // UNSAFE!
    assert(display < 100); // SAFE
}
