// One counter goes up while the other goes down, for any number of rounds.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int rounds = __VERIFIER_nondet_int();
    if (rounds < 0 || rounds > 100)
        return 0;
    int done = 0, left = 100;
    while (done < rounds) {
        done++;
        left--;
    }
    assert(done + left == 100); // SAFE (needs octagon)
    assert(left >= 0); // SAFE (needs octagon)
    assert(left > 0); // UNSAFE!
    return 0;
}
