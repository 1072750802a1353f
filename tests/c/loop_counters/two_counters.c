// Two counters of one loop, of which the condition tests one.
#include <assert.h>

int main(void) {
    int i = 0, j = 0;
    while (i < 10) {
        assert(i == j); // SAFE (needs octagon)
        i++;
        j++;
    }
    assert(j == 10); // SAFE (needs octagon)
    assert(j < 10); // UNSAFE!
    return 0;
}
