// ARGS: --properties assertion,data-race
// Nodes compete to lead: who sets the leader from nobody to itself leads for a term, writes the log, and steps down.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define NOBODY 0
#define TERMS 3
static atomic_int leader = NOBODY;
static atomic_int elections, refused;
static int term, written_by; // SAFE

static int try_to_lead(int me) {
    int expected = NOBODY;
    if (atomic_compare_exchange_strong(&leader, &expected, me)) {
        atomic_fetch_add(&elections, 1);
        return 1;
    }
    assert(expected != NOBODY); // SAFE
    assert(expected >= 1 && expected <= 3); // SAFE
    atomic_fetch_add(&refused, 1);
    return 0;
}

static void lead(int me) {
    assert(atomic_load(&leader) == me); // SAFE
    int before = term;
    assert(before >= 0); // SAFE
    term = before + 1;
    written_by = me;
    assert(term == before + 1); // SAFE
    assert(written_by == me); // SAFE
    assert(atomic_load(&elections) >= term); // SAFE
}

static void step_down(int me) {
    int was = atomic_exchange(&leader, NOBODY);
    assert(was == me); // SAFE
}

static int campaign(int me) {
    int won = 0;
    for (int i = 0; i < TERMS; i++) {
        if (try_to_lead(me)) {
            lead(me);
            won++;
            step_down(me);
        }
        __goblint_check(atomic_load(&leader) != me + 1); // UNSAFE!
    }
    assert(won >= 0 && won <= TERMS); // SAFE
    return won;
}

static void *first(void *result) {
    *(int *)result = campaign(1);
    return 0;
}

static void *second(void *result) {
    *(int *)result = campaign(2);
    return 0;
}

int main(void) {
    pthread_t a, b;
    int of_a = 0, of_b = 0;
    pthread_create(&a, 0, first, &of_a);
    pthread_create(&b, 0, second, &of_b);
    int own = try_to_lead(3);
    if (own) {
        lead(3);
        step_down(3);
    }
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(atomic_load(&leader) == NOBODY); // SAFE
    assert(term == atomic_load(&elections)); // SAFE
    assert(term == of_a + of_b + own); // UNKNOWN (what is left when all have added)
    assert(term >= 1); // SAFE
    assert(term <= 2 * TERMS + 1); // SAFE
    assert(written_by >= 1 && written_by <= 3); // SAFE
    __goblint_check(own || of_a == TERMS || of_b == TERMS); // UNSAFE!
    return 0;
}
