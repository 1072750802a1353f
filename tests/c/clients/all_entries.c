// ARGS: --parameterized --entries all
// Every function that nobody calls is an entry; the helper is not.
int lamp;
int switches;

static int choose(int wish) {
    if (wish > 0) return 1;
    return 0;
}

void init(void) {
    lamp = 1;
    switches = 1;
}

void turn_on(void) {
    lamp = choose(1);
    assert(lamp >= 0); // SAFE
    assert(lamp == 1); // UNSAFE!
}

void turn_off(void) {
    lamp = choose(-1);
    assert(lamp <= 1); // SAFE
    assert(switches == 1); // SAFE
}
