// ARGS: --parameterized --entries client
// Any number of clients count themselves in and out: where one has, the count is positive, and never negative.
#include <pthread.h>
#include <assert.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int users, powered, served;

void client(void) {
    pthread_mutex_lock(&lock);
    users++;
    if (users == 1) powered = 1;
    pthread_mutex_unlock(&lock);

    assert(users >= 1); // SAFE
    assert(users == 1); // UNSAFE!
    pthread_mutex_lock(&lock);
    if (served < 1000) served++;
    assert(served >= 1); // SAFE
    pthread_mutex_unlock(&lock);

    pthread_mutex_lock(&lock);
    users--;
    assert(users >= 0); // SAFE
    if (users == 0) powered = 0;
    pthread_mutex_unlock(&lock);
    assert(users >= 0); // SAFE
    assert(users >= 1); // UNSAFE!
    assert(powered == 0); // UNSAFE!
}
