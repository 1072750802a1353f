// Numbers are drawn by compare and swap of GNU C; a committed number was drawn before, and stays below the next one.
#include <assert.h>
#include <pthread.h>

static int next = 1, committed;

static int draw(void) {
    for (;;) {
        int n = __atomic_load_n(&next, __ATOMIC_SEQ_CST);
        if (n == 1000)
            return 0;
        if (__sync_bool_compare_and_swap(&next, n, n + 1))
            return n;
    }
}

static void *writer(void *unused) {
    int mine = draw();
    if (mine == 0)
        return unused;
    assert(mine < __atomic_load_n(&next, __ATOMIC_SEQ_CST)); // SAFE
    __atomic_store_n(&committed, mine, __ATOMIC_SEQ_CST);
    int later = draw();
    assert(later == 0 || later > mine); // SAFE
    __goblint_check(later == 0 || later == mine + 1); // UNSAFE!
    return unused;
}

static void *reader(void *unused) {
    int seen = __atomic_load_n(&committed, __ATOMIC_SEQ_CST);
    assert(seen < __atomic_load_n(&next, __ATOMIC_SEQ_CST)); // UNKNOWN (what was stored was below a counter that is only raised)
    return unused;
}

int main(void) {
    pthread_t t;
    for (int i = 0; i < 12; i++) {
        pthread_create(&t, 0, writer, 0);
        pthread_create(&t, 0, reader, 0);
    }
    return 0;
}
