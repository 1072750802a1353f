// ARGS: --properties assertion,array-bounds,null-dereference --no-verify
// A pointer to bytes that was made of an array in a structure stays in that array, by a check; one along the whole does not.
#include <assert.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

struct settings {
    int number;
    char name[16];
    int *count;
    unsigned char raw[8];
    int last;
};

int __VERIFIER_nondet_int(void);

static struct settings known, cleared, copied, overlaid;
static int first, second = 2;

static void put(char *to, const char *from, int size) {
    int i;
    for (i = 0; i < size - 1 && from[i]; i++) // SAFE
        to[i] = from[i];                      // SAFE
    to[i] = 0;                                // SAFE
}

static unsigned sum(const unsigned char *bytes, int size) {
    unsigned all = 0;
    while (size-- > 0)
        all += *bytes++; // SAFE
    return all;
}

static void tell(char *error, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error, 16, format, arguments); // SAFE
    va_end(arguments);
}

int main(void) {
    int which = __VERIFIER_nondet_int();
    known.number = 5, known.count = &first, known.last = 7;
    put(known.name, "settings", sizeof known.name);
    sum((unsigned char *)known.name, 16);
    sum(known.raw, 8);
    tell(known.name, "cannot read %d", which);
    assert(known.number == 5 && known.last == 7); // SAFE
    *known.count = 3;                             // SAFE
    assert(second == 2);                          // SAFE

    cleared.count = &second;
    char *all = (char *)&cleared + offsetof(struct settings, name);
    memset(all, 0, sizeof cleared - offsetof(struct settings, name)); // SAFE
    if (which == 4)
        assert(cleared.count == &second); // UNSAFE!

    copied.count = &second;
    unsigned char *byte = (unsigned char *)&copied;
    for (byte += 4; byte < (unsigned char *)(&copied + 1); byte++)
        *byte = 0; // SAFE
    if (which == 5)
        assert(copied.count == &second); // UNSAFE!

    overlaid.count = &second;
    int *word = (int *)&overlaid;
    char *payload = (char *)(word + 1);
    for (int i = 0; i < 40; i++)
        payload[i] = 0; // SAFE
    if (which == 6)
        assert(overlaid.count == &second); // UNSAFE!
    return 0;
}
