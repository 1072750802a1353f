// Strings as arrays: literals, lengths, comparisons, copies.
#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>

struct record {
    char name[8];
    int id;
};

int main(void)
{
    struct record record;
    char text[32];
    int c;

    record.id = 7;
    strcpy(record.name, "abc");
    assert(record.id == 7); // SAFE
    assert(record.name[0] == 'a'); // SAFE
    assert(record.name[3] == '\0'); // SAFE
    assert(strlen("hello") == 5); // SAFE
    assert(strcmp("a", "a") == 0); // SAFE
    assert(strcmp("a", "b") < 0); // SAFE
    snprintf(text, sizeof(text), "%d", 123);
    assert(strlen(text) < 32); // SAFE
    snprintf(record.name, sizeof(record.name), "%d", 123);
    assert(record.id == 7); // SAFE
    for (c = 0; c < 128; c++)
        if (isdigit(c))
            assert(c >= '0' && c <= '9'); // SAFE
    if (strcmp(text, "123") == 0)
        assert(record.name[0] == 'a'); // UNSAFE!
    return 0;
}
