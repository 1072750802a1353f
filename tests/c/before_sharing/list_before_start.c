// Main builds a list of three nodes, looks at it, and only then starts the threads that read it.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

struct node {
    int value;
    struct node *next;
};
static struct node *list;

static void *reader(void *unused) {
    int sum = 0, steps = 0;
    for (struct node *n = list; n != NULL; n = n->next) {
        assert(n->value >= 1 && n->value <= 3); // SAFE
        sum += n->value;
        steps++;
    }
    assert(sum >= 0); // SAFE
    return 0;
}

int main(void) {
    static struct node third, second, first;
    pthread_t a, b;
    third.value = 3;
    second.value = 2;
    second.next = &third;
    first.value = 1;
    first.next = &second;
    assert(first.next->next->value == 3); // SAFE
    assert(third.next == NULL); // SAFE
    list = &first;
    pthread_create(&a, 0, reader, 0);
    pthread_create(&b, 0, reader, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    first.value = 9;
    assert(first.value == 9); // SAFE
    return 0;
}
