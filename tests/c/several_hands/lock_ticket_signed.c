// ARGS: --properties assertion,data-race
// A service counter with tickets.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int next_ticket, now_serving;
static int inside, served;

static int enter(void) {
    int mine = atomic_fetch_add(&next_ticket, 1);
    while (atomic_load(&now_serving) != mine)
        ;
    assert(inside == 0); // SAFE
    inside++;
    assert(served == mine); // SAFE
    return mine;
}

static void leave(int mine) {
    served++;
    inside--;
    assert(now_serving == mine); // SAFE
    atomic_store(&now_serving, mine + 1);
}

static void *customer(void *arg) {
    (void)arg;
    int t = enter();
    assert(inside == 1); // SAFE
    leave(t);
    return NULL;
}

int main(void) {
    pthread_t t[5];
    for (int i = 0; i < 5; i++)
        pthread_create(&t[i], NULL, customer, NULL);
    for (int i = 0; i < 5; i++)
        pthread_join(t[i], NULL);
    assert(served == 5); // SAFE
    assert(now_serving == next_ticket); // SAFE
    return 0;
}
