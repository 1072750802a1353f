// ARGS: --properties assertion,array-bounds --parameterized --entries drive
// A transition table drives the shared state, which stays in its range.
static const unsigned char next_state[5] = {1, 2, 3, 4, 0};
int state;
int sparse;

void drive(void) {
    int here = state;
    assert(here >= 0); // SAFE
    assert(here <= 4); // SAFE
    state = next_state[here]; // SAFE
    assert(state != here); // UNSAFE!
    sparse = next_state[here] * 2;
    assert(sparse <= 8); // SAFE
    assert(sparse == 2); // UNSAFE!
}
