// ARGS: --parameterized --entries beat,monitor
// Members write heartbeats; the monitor clears them and calls a member dead that has not written again.
static volatile int alive;
static int dead, rounds;

void beat(void) {
    alive = 1;
    assert(alive >= 0); // SAFE
    assert(alive == 1); // UNSAFE!
}

void monitor(void) {
    if (alive) {
        alive = 0;
    } else {
        dead = 1;
        assert(dead == 1); // SAFE
    }
    if (rounds < 50) rounds = rounds + 1;
    assert(rounds >= 0); // SAFE
    assert(dead <= 1); // SAFE
    assert(dead == 0); // UNSAFE!
}
