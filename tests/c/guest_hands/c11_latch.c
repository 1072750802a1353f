// C11 threads: a latch that counts down, and results of the threads that passed it.
#include <assert.h>
#include <threads.h>

#define TEAM 3

static mtx_t lock;
static cnd_t opened;
static int remaining = TEAM;
static int ready_sum, passed;

struct member {
    int id, weight;
};

static int member_main(void *arg) {
    const struct member *me = arg;
    mtx_lock(&lock);
    ready_sum += me->weight;
    remaining--;
    assert(remaining >= 0); // SAFE
    if (remaining == 0)
        cnd_broadcast(&opened);
    while (remaining > 0)
        cnd_wait(&opened, &lock);
    assert(remaining == 0); // SAFE
    assert(ready_sum == 60); // SAFE
    passed++;
    assert(passed <= TEAM); // SAFE
    mtx_unlock(&lock);
    return me->id * 2;
}

int main(void) {
    thrd_t t[TEAM];
    struct member team[TEAM] = {{1, 10}, {2, 20}, {3, 30}};
    int sum = 0;
    mtx_init(&lock, mtx_plain);
    cnd_init(&opened);
    for (int i = 0; i < TEAM; i++)
        thrd_create(&t[i], member_main, &team[i]);
    for (int i = 0; i < TEAM; i++) {
        int r;
        thrd_join(t[i], &r);
        assert(r >= 2 && r <= 6); // SAFE
        assert(r % 2 == 0); // SAFE
        sum += r;
    }
    assert(passed == TEAM); // SAFE
    assert(remaining == 0); // SAFE
    assert(ready_sum == 60); // SAFE
    assert(sum >= 6 && sum <= 18); // SAFE
    assert(sum == 12); // SAFE
    assert(team[0].weight == 10); // SAFE
    mtx_destroy(&lock);
    return 0;
}
