// ARGS: --properties assertion,array-bounds,overflow
// Voters vote for one of three or for nobody; tellers watch, and main announces when all have voted.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#define VOTERS 3
#define CHOICES 3
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int votes[CHOICES], blank, cast;
static atomic_int arrived;
static atomic_bool is_closed;

static void *voter(void *unused) {
    int choice = rand() % (CHOICES + 1);
    atomic_fetch_add(&arrived, 1);
    if (atomic_load(&is_closed))
        return 0;
    assert(choice >= 0 && choice <= CHOICES); // SAFE
    pthread_mutex_lock(&lock);
    assert(cast < VOTERS); // SAFE
    if (choice == CHOICES)
        blank++; // SAFE
    else
        votes[choice]++; // SAFE
    cast++; // SAFE
    assert(cast >= 1); // SAFE
    assert(blank <= cast); // SAFE
    assert(votes[0] + votes[1] + votes[2] + blank == cast); // SAFE
    __goblint_check(blank == 0); // UNSAFE!
    pthread_mutex_unlock(&lock);
    return 0;
}

static void *teller(void *unused) {
    pthread_mutex_lock(&lock);
    int best = 0;
    for (int i = 1; i < CHOICES; i++)
        if (votes[i] > votes[best]) // SAFE
            best = i;
    assert(best >= 0 && best < CHOICES); // SAFE
    assert(votes[best] >= votes[0]); // SAFE
    assert(votes[best] <= cast); // SAFE
    int seen = cast;
    pthread_mutex_unlock(&lock);
    assert(seen <= atomic_load(&arrived)); // UNKNOWN (who has counted had arrived before)
    assert(seen <= VOTERS); // SAFE
    return 0;
}

int main(void) {
    pthread_t v[VOTERS], t;
    for (int i = 0; i < VOTERS; i++)
        pthread_create(&v[i], 0, voter, 0); // SAFE
    pthread_create(&t, 0, teller, 0);
    if (rand() % 2)
        atomic_store(&is_closed, true);
    for (int i = 0; i < VOTERS; i++)
        pthread_join(v[i], 0); // SAFE
    assert(atomic_load(&arrived) == VOTERS); // SAFE
    assert(cast <= VOTERS); // SAFE
    assert(atomic_load(&is_closed) || cast == VOTERS); // UNKNOWN (what is left when all have added, or a flag is set)
    assert(votes[0] + votes[1] + votes[2] + blank == cast); // SAFE
    __goblint_check(cast == VOTERS); // UNSAFE!
    pthread_join(t, 0);
    return 0;
}
