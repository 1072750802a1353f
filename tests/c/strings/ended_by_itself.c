// Loops over a string that they change: what its characters were at first counts until a copy of the loop writes one.
#include <assert.h>

char word[8] = "abc", other[8] = "abc";

int main(void) {
    int i, n;
    for (i = 0; word[i]; i++)
        word[i] = 'x';
    assert(i >= 0); // SAFE
    for (n = 0; other[n]; n++)
        other[n + 1] = 0;
    assert(n == 3); // UNSAFE!
    return 0;
}
