// ARGS: --parameterized --entries locked,careless
// A spin lock from an atomic exchange protects a pair; one entry releases it before it has finished.
static int flag;
static int first, second;

static void acquire(void) {
    while (__atomic_exchange_n(&flag, 1, __ATOMIC_SEQ_CST)) ;
}

static void release(void) {
    __atomic_store_n(&flag, 0, __ATOMIC_SEQ_CST);
}

void locked(void) {
    acquire();
    first = 2;
    second = 2;
    assert(first == 2); // SAFE
    assert(second >= 0); // SAFE
    first = 0;
    second = 0;
    release();
}

void careless(void) {
    acquire();
    first = 0;
    release();
    second = 0;
    assert(second == 0); // UNSAFE!
}
