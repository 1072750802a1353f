// ARGS: --properties assertion,array-bounds --parameterized --entries select_bank,read_register
// A window of registers: the bank is selected first; without the lock another thread selects in between.
#include <pthread.h>
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int bank;
static int registers[4 * 8];

void read_register(void) {
    int number = __VERIFIER_nondet_int();
    if (number < 0 || number >= 8) return;
    pthread_mutex_lock(&lock);
    bank = 2;
    assert(bank == 2); // UNSAFE!
    int value = registers[bank * 8 + number]; // SAFE
    assert(value == 0); // SAFE
    pthread_mutex_unlock(&lock);
}

void select_bank(void) {
    int wanted = __VERIFIER_nondet_int();
    if (wanted < 0 || wanted > 3) return;
    bank = wanted;
    assert(bank >= 0); // SAFE
    assert(bank <= 3); // SAFE
}
