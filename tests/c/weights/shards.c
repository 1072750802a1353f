// Each shard has five replicas; adding or removing one changes both numbers together.
#include <assert.h>
#include <threads.h>

#define REPLICAS 5
extern _Bool __VERIFIER_nondet_bool(void);
static mtx_t topology;
static int shards = 1, replicas = REPLICAS;

static int change(void *unused) {
    mtx_lock(&topology);
    if (__VERIFIER_nondet_bool()) {
        shards++;
        replicas += REPLICAS;
    } else if (shards > 1) {
        replicas -= REPLICAS;
        shards--;
    }
    assert(replicas == REPLICAS * shards); // SAFE
    mtx_unlock(&topology);
    return 0;
}

static int watch(void *unused) {
    int s, r;
    mtx_lock(&topology);
    s = shards;
    r = replicas;
    mtx_unlock(&topology);
    assert(r - 5 * s == 0); // SAFE
    assert(r >= 5); // SAFE
    return 0;
}

int main(void) {
    thrd_t t[4];
    mtx_init(&topology, mtx_plain);
    for (int i = 0; i < 3; i++)
        thrd_create(&t[i], change, 0);
    thrd_create(&t[3], watch, 0);
    for (int i = 0; i < 4; i++)
        thrd_join(t[i], 0);
    assert(replicas >= REPLICAS); // SAFE
    return 0;
}
