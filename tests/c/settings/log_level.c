// ARGS: --parameterized --entries set_level,emit
// A log level that anyone may set within its range; messages are counted with saturation.
extern int __VERIFIER_nondet_int(void);
enum level { ERROR_LEVEL, WARNING_LEVEL, INFO_LEVEL, DEBUG_LEVEL };
static volatile int level = WARNING_LEVEL;
static unsigned char emitted;

void set_level(void) {
    int wanted = __VERIFIER_nondet_int();
    if (wanted < ERROR_LEVEL) wanted = ERROR_LEVEL;
    if (wanted > DEBUG_LEVEL) wanted = DEBUG_LEVEL;
    level = wanted;
    assert(wanted >= 0 && wanted <= 3); // SAFE
}

void emit(void) {
    int now = level;
    assert(now >= ERROR_LEVEL); // SAFE
    assert(now <= DEBUG_LEVEL); // SAFE
    if (now >= INFO_LEVEL) {
        if (emitted < 255) emitted++;
        assert(level >= INFO_LEVEL); // UNSAFE!
    }
    assert(emitted <= 255); // SAFE
}
