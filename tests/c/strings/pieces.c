// ARGS: --properties assertion,array-bounds,null-dereference
// Pieces of a line are strings, the first ones as well as the last ones, whatever may be null in between.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int sum(char *line)
{
    int found = 0;
    char *first = strtok(line, ","), *second = strtok(NULL, ","), *rest; // SAFE
    if (first)
        found += atoi(first) & 15; // SAFE
    if (second)
        found += atoi(second) & 15; // SAFE
    for (rest = strtok(NULL, ","); rest; rest = strtok(NULL, ","))
        found |= strlen(rest) & 1; // SAFE
    if (first && second && strcmp(first, second) == 0) // SAFE
        return 0;
    return found;
}

static unsigned long longest(char *line)
{
    unsigned long most = 0;
    char *kept;
    for (char *word = strtok_r(line, " ", &kept); word; word = strtok_r(NULL, " ", &kept)) {
        if (strlen(word) > most) // SAFE
            most = strlen(word); // SAFE
    }
    return most;
}

int main(void)
{
    char line[32], words[32];
    snprintf(line, sizeof line, "%d,%d,%d", rand() & 7, 2, 3);
    snprintf(words, sizeof words, "%s", "a few words");
    int found = sum(line);
    assert(found >= 0); // SAFE
    assert(longest(words) < 5); // UNSAFE!
    return 0;
}
