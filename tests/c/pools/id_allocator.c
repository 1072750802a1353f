// ARGS: --properties assertion,overflow --parameterized --entries client,auditor
// Identifiers from a counter that is reset at its end, and a bit mask of those in use.
#include <pthread.h>
#include <assert.h>

#define FIRST 100
#define LAST 131
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int next_id = FIRST;
static unsigned used;
static int handed_out;

void client(void) {
    int id;
    pthread_mutex_lock(&lock);
    id = next_id;
    if (id >= LAST)
        next_id = FIRST;
    else
        next_id = id + 1; // SAFE
    used |= 1u << (id - FIRST); // SAFE
    pthread_mutex_unlock(&lock);
    assert(id >= FIRST); // SAFE
    assert(id <= LAST); // SAFE
    unsigned mine = 1u << (id - FIRST); // SAFE
    assert(used == mine); // UNSAFE!
    pthread_mutex_lock(&lock);
    used &= ~(1u << (id - FIRST)); // SAFE
    handed_out = id;
    pthread_mutex_unlock(&lock);
}

void auditor(void) {
    int last = handed_out;
    assert(last == 0 || last >= FIRST); // SAFE
    assert(last <= LAST); // SAFE
    if (next_id == FIRST)
        assert(next_id == FIRST); // UNSAFE!
}
