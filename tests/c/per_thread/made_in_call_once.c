// As made_once.c in C11, with the initialisation beside another thread that keeps nothing.
#include <assert.h>
#include <threads.h>

static once_flag made = ONCE_FLAG_INIT;
static tss_t depth;

static void make(void) {
    tss_create(&depth, 0);
}

static int level(void) {
    call_once(&made, make);
    return tss_get(depth) != 0;
}

static void enter(int *frame) {
    call_once(&made, make);
    tss_set(depth, frame);
}

static int walk(void *unused) {
    int frame = 0;
    assert(level() == 0); // SAFE
    enter(&frame);
    __goblint_check(tss_get(depth) != &frame); // UNSAFE!
    return 0;
}

static int look(void *unused) {
    assert(level() == 0); // SAFE
    return 0;
}

int main(void) {
    thrd_t a, b;
    thrd_create(&a, walk, 0);
    thrd_create(&b, look, 0);
    thrd_join(a, 0);
    thrd_join(b, 0);
    assert(level() == 0); // SAFE
    return 0;
}
