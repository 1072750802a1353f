// Threads elect a leader by exchange; the leader alone prepares, the others wait for it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define NODES 4

static atomic_int leader; // 0: nobody
static atomic_int prepared;
static atomic_int followers;
static int plan;

static void *node(void *arg) {
    int id = (int)(long)arg;
    int nobody = 0;
    assert(id >= 1 && id <= NODES); // SAFE
    if (atomic_compare_exchange_strong(&leader, &nobody, id)) {
        assert(leader == id); // SAFE
        assert(prepared == 0); // SAFE
        plan = 7 * id;
        prepared = 1;
    } else {
        assert(nobody != 0); // SAFE
        assert(nobody != id); // SAFE
        followers++;
        while (!prepared)
            ;
        assert(plan == 7 * nobody); // SAFE
        assert(plan >= 7 && plan <= 28); // SAFE
    }
    assert(leader != 0); // SAFE
    return 0;
}

int main(void) {
    pthread_t t[NODES];
    for (long i = 0; i < NODES; i++)
        pthread_create(&t[i], 0, node, (void *)(i + 1));
    for (int i = 0; i < NODES; i++)
        pthread_join(t[i], 0);
    assert(prepared == 1); // SAFE
    assert(followers == NODES - 1); // UNKNOWN (one of all has set a flag)
    assert(leader >= 1 && leader <= NODES); // SAFE
    assert(plan == 7 * leader); // SAFE
    assert(leader == 1); // UNSAFE!
    return 0;
}
