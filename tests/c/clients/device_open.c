// ARGS: --parameterized --entries use,peek --init setup
// An exclusive device: the second open fails until the first client releases it.
int opened;
int buffer;
int ready;

void setup(void) {
    buffer = 1;
    ready = 1;
}

void use(void) {
    assert(ready == 1); // SAFE
    if (__sync_lock_test_and_set(&opened, 1)) return;
    assert(buffer == 1); // SAFE
    buffer = 20;
    assert(buffer == 20); // SAFE
    buffer = 1;
    __sync_lock_release(&opened);
}

void peek(void) {
    assert(buffer >= 1); // SAFE
    assert(buffer <= 20); // SAFE
    assert(buffer == 1); // UNSAFE!
}
