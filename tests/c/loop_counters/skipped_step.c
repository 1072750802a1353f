// The second counter misses some rounds, so it only stays behind the first.
#include <assert.h>

extern _Bool __VERIFIER_nondet_bool(void);

int main(void) {
    int seen = 0, kept = 0;
    while (seen < 5) {
        if (__VERIFIER_nondet_bool())
            kept++;
        seen++;
    }
    assert(kept <= 5); // SAFE (needs octagon)
    assert(kept == 5); // UNSAFE!
    return 0;
}
