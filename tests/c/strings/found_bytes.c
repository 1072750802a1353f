// ARGS: --properties array-bounds --no-verify
// What is found among bytes is one of them, unless nothing was looked for.
#define _GNU_SOURCE
#include <string.h>

static char copy[8];

int main(void) {
    memset(copy, 'a', 8); // SAFE
    char *none = memmem(copy, 8, "", 0); // SAFE
    if (none)
        *none = 'c'; // UNKNOWN (it may be the end, where nothing is looked for)
    char *found = memchr(copy, 'a', 8); // SAFE
    if (found) {
        *found = 'b'; // SAFE
        copy[found - copy + 7] = 'b'; // UNSAFE! (behind the array)
    }
    return 0;
}
