// ARGS: --parameterized --entries operate
// Functions return negative error codes or lengths; the last error is remembered.
extern int __VERIFIER_nondet_int(void);
static int last_error;

static int read_block(void) {
    int raw = __VERIFIER_nondet_int();
    if (raw < 0) return -5;
    if (raw == 0) return -11;
    return raw > 512 ? 512 : raw;
}

void operate(void) {
    int got = read_block();
    assert(got <= 512); // SAFE
    assert(got >= -11); // SAFE
    assert(got != 0); // SAFE
    if (got < 0) {
        last_error = got;
        assert(got == -5 || got == -11); // SAFE
        assert(last_error < 0); // SAFE
        assert(last_error == got); // UNSAFE!
    } else {
        assert(got >= 1); // SAFE
    }
}
