// ARGS: --properties assertion,array-bounds --parameterized --entries dispatch
// Commands index a constant table of their sizes; a command is validated in one way and used in another.
extern int __VERIFIER_nondet_int(void);
static const int size_of[4] = {1, 2, 4, 8};
static int last_size, last_command;

void dispatch(void) {
    int command = __VERIFIER_nondet_int();
    if (command < 0 || command > 4) return;
    if (command < 4) {
        last_size = size_of[command]; // SAFE
        last_command = command;
    }
    assert(last_size <= 8); // SAFE
    assert(last_command <= 3); // SAFE
    int size = size_of[command]; // UNSAFE!
    assert(size >= 1); // SAFE
}
