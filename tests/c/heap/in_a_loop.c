// One place that allocates several objects: what is written to one may not be what another one has.
#include <assert.h>
#include <stdlib.h>

struct node {
    struct node *next;
    int value;
};

int main(void)
{
    struct node *list = NULL;
    int i;

    for (i = 0; i < 3; i++) {
        struct node *node = malloc(sizeof(*node));

        if (node == NULL)
            return 1;
        node->value = i;
        node->next = list;
        list = node;
    }
    struct node *first = list;
    struct node *second = first->next;

    first->value = 10;
    second->value = 20;
    assert(first->value <= 20); // SAFE
    assert(first->value == 20); // UNSAFE!
    return 0;
}
