// ARGS: --properties array-bounds --no-verify
// What the library finds in a string lies in it: between where it was told to look and the end.
#include <stdlib.h>
#include <string.h>

static char line[32] = "name=value";

static void cut(char *text) {
    char *end = strchr(text, '\n'); // SAFE
    if (end)
        *end = 0; // SAFE
}

int main(void) {
    char *rest;
    long number = strtol(line, &rest, 10); // SAFE
    if (*rest == 0) // SAFE
        return number == 0;
    char *equals = strrchr(line, '='); // SAFE
    if (equals) {
        *equals = 0; // SAFE
        if (equals > line)
            equals[-1] = 'x'; // SAFE
        cut(line);
        line[equals - line - 5] = 'x'; // UNSAFE! (in front of the array)
    }
    return 0;
}
