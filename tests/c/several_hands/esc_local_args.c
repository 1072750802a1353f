// ARGS: --properties assertion,data-race
// A local structure is given to a thread and is main's own again after the join.
#include <assert.h>
#include <pthread.h>

struct task { int in, out, done; };

static void *square(void *p) {
    struct task *t = p;
    t->out = t->in * t->in;
    t->done = 1;
    return 0;
}

static int run(int x) {
    struct task t = {x, 0, 0};
    pthread_t h;
    t.in = x + 1;
    assert(t.in == x + 1); // SAFE
    assert(t.done == 0); // SAFE
    if (pthread_create(&h, 0, square, &t) != 0)
        return -1;
    pthread_join(h, 0);
    assert(t.done == 1); // SAFE
    assert(t.in == x + 1); // SAFE
    t.done = 2;
    t.out = 5;
    assert(t.done == 2); // SAFE
    assert(t.out == 5); // SAFE
    return t.out;
}

int main(void) {
    int r = run(4);
    assert(r == 5 || r == -1); // SAFE
    return 0;
}
