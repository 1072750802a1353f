// ARGS: --parameterized --entries toggle,check
// Flags that exclude each other are switched in one atomic section; a slow path switches them one by one.
extern int __VERIFIER_nondet_int(void);
static int fast, safe = 1;
static int slow_a, slow_b = 1;

void toggle(void) {
    __VERIFIER_atomic_begin();
    if (fast) {
        fast = 0;
        safe = 1;
    } else {
        fast = 1;
        safe = 0;
    }
    __VERIFIER_atomic_end();
    slow_b = 0;
    slow_a = 1;
    slow_b = 1;
    slow_a = 0;
}

void check(void) {
    int f, s;
    __VERIFIER_atomic_begin();
    f = fast;
    s = safe;
    __VERIFIER_atomic_end();
    assert(f == 0 || f == 1); // SAFE
    assert(f + s == 1); // SAFE (needs octagon)
    assert(slow_a == 0 || slow_b == 0); // UNSAFE!
}
