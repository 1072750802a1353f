// ARGS: --properties assertion,data-race
// Members vote, each at its own place; behind the barrier one of them counts, behind the next one all read the outcome.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#define MEMBERS 4

static int vote[MEMBERS]; // SAFE
static int yes, outcome;
static pthread_barrier_t barrier;

static void *member(void *arg) {
    int id = *(int *)arg;
    vote[id] = id % 2 + 1;
    assert(vote[id] == 1 || vote[id] == 2); // SAFE
    int serial = pthread_barrier_wait(&barrier);
    if (serial == PTHREAD_BARRIER_SERIAL_THREAD) {
        int n = 0;
        for (int i = 0; i < MEMBERS; i++) {
            assert(vote[i] != 0); // SAFE
            if (vote[i] == 2)
                n++;
        }
        assert(n <= MEMBERS); // SAFE
        yes = n; // UNKNOWN (who is the one of all that wait at a barrier)
        outcome = 2 * n > MEMBERS ? 1 : -1; // UNKNOWN (who is the one of all that wait at a barrier)
    }
    pthread_barrier_wait(&barrier);
    assert(outcome != 0); // UNKNOWN (who is the one of all that wait at a barrier)
    assert(yes >= 0 && yes <= MEMBERS); // SAFE
    assert((outcome == 1) == (2 * yes > MEMBERS)); // SAFE
    return NULL;
}

int main(void) {
    pthread_t t[MEMBERS];
    int ids[MEMBERS]; // SAFE
    pthread_barrier_init(&barrier, NULL, MEMBERS);
    for (int i = 0; i < MEMBERS; i++) {
        ids[i] = i;
        pthread_create(&t[i], NULL, member, &ids[i]);
    }
    for (int i = 0; i < MEMBERS; i++)
        pthread_join(t[i], NULL);
    assert(outcome == 1 || outcome == -1); // SAFE
    assert(vote[0] == 1); // SAFE
    assert(vote[3] == 2); // SAFE
    assert(outcome == 1); // UNSAFE!
    return 0;
}
