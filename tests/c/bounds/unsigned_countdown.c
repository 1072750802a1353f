// ARGS: --properties array-bounds
// Unsigned counters that are compared before they go down: the last comparison takes them round, but nobody looks then.
extern unsigned int __VERIFIER_nondet_uint(void);

char bytes[32];

static void down(unsigned int n) {
    if (n > 32)
        return;
    while (n--)
        bytes[n] = 0; // SAFE
}

static void down_to(unsigned long n) {
    unsigned long i;

    if (n > 32)
        n = 32;
    for (i = n; i-- > 0;)
        bytes[i] = 1; // SAFE
}

static void narrow(unsigned char n) {
    if (n > 32)
        return;
    while (n-- != 0)
        bytes[n] = 2; // SAFE
}

static void both_ends(unsigned int n) {
    if (n > 32)
        return;
    while (n-- && bytes[n] == 0) // SAFE
        bytes[n] = 3; // SAFE
}

static void one_more(unsigned int n) {
    if (n > 33)
        return;
    while (n--)
        bytes[n] = 4; // UNSAFE!
}

static void round_and_on(unsigned int n) {
    if (n > 32)
        return;
    while (n-- && n < 40) {
    }
    bytes[n & 63] = 5; // UNSAFE!
}

static void compared_later(unsigned int n) {
    if (n > 31)
        return;
    while (--n)
        bytes[n] = 7; // UNSAFE!
}

int main(void) {
    down(__VERIFIER_nondet_uint());
    down_to(__VERIFIER_nondet_uint());
    narrow(__VERIFIER_nondet_uint());
    both_ends(__VERIFIER_nondet_uint());
    switch (__VERIFIER_nondet_uint()) {
    case 0:
        one_more(__VERIFIER_nondet_uint());
        break;
    case 1:
        round_and_on(__VERIFIER_nondet_uint());
        break;
    default:
        compared_later(__VERIFIER_nondet_uint());
    }
    return 0;
}
