// ARGS: --parameterized --entries client
// Any number of clients, let in one at a time by an atomically set busy flag.
int busy;
int transfer;

void client(void) {
    int mine = 0;
    __VERIFIER_atomic_begin();
    if (busy == 0) {
        busy = 1;
        mine = 1;
    }
    __VERIFIER_atomic_end();
    if (!mine) {
        assert(transfer == 0); // UNSAFE!
        return;
    }
    assert(mine == 1); // SAFE
    transfer = 4;
    assert(transfer == 4); // SAFE
    transfer = 0;
    busy = 0;
}
