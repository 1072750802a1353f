// ARGS: --properties null-dereference
// malloc may return a null pointer.
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

int main(void) {
    struct node *checked = malloc(sizeof *checked);
    if (checked == NULL) {
        return 1;
    }
    checked->value = 1; // SAFE
    struct node *bold = malloc(sizeof *bold);
    bold->value = 2; // UNSAFE!
    return checked->value; // SAFE
}
