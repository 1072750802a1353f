// ARGS: --properties null-dereference
// Walking a list until its end, and one step further.
#include <stddef.h>

struct item {
    int weight;
    struct item *next;
};

struct item last = {3, NULL};
struct item middle = {2, &last};
struct item head = {1, &middle};

int main(void) {
    int total = 0;
    for (struct item *item = &head; item != NULL; item = item->next) { // SAFE
        total += item->weight; // SAFE
    }
    struct item *end = head.next->next->next; // SAFE
    total += end->weight; // UNSAFE!
    return total;
}
