// From a member to the structure that it lies in.
#include <assert.h>
#include <stddef.h>

#define container_of(pointer, type, member) ((type *)((char *)(pointer) - offsetof(type, member)))

struct link {
    struct link *next;
};

struct item {
    int key;
    struct link link;
    int value;
};

static struct item one = {1, {NULL}, 10}, two = {2, {NULL}, 20};
static struct link *head;

int main(void)
{
    struct item *found;

    one.link.next = &two.link;
    head = &one.link;
    found = container_of(head, struct item, link);
    found->value = 11;
    assert(one.value == 10 || one.value == 11); // SAFE
    assert(two.value == 20 || two.value == 11); // SAFE
    found = container_of(head->next, struct item, link);
    assert(found->key == 1 || found->key == 2); // SAFE
    assert(one.value == 10); // UNSAFE!
    return 0;
}
