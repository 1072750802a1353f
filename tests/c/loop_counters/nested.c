// The counters of the inner loop start again in each round; those of the outer one do not.
#include <assert.h>

int main(void) {
    int row = 0, above = -1;
    while (row < 4) {
        int column = 0, before = 0;
        while (column < 3) {
            column++;
            before++;
        }
        assert(before == 3); // SAFE (needs octagon)
        row++;
        above++;
    }
    assert(above == 3); // SAFE (needs octagon)
    assert(above == 4); // UNSAFE!
    return 0;
}
