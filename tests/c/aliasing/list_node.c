// Structures reached through a shared pointer that another thread redirects.
#include <pthread.h>
#include <assert.h>

struct node {
    int weight;
    struct node *next;
};
struct node light = {1, 0};
struct node heavy = {100, &light};
struct node *current = &light;

void *redirect(void *unused) {
    current = &heavy;
    light.weight = 2;
    return 0;
}

int main(void) {
    pthread_t t;
    struct node *seen;
    pthread_create(&t, 0, redirect, 0);
    seen = current;
    assert(seen->weight >= 1); // SAFE
    assert(seen->weight <= 100); // SAFE
    assert(seen->weight <= 2); // UNSAFE!
    assert(heavy.weight == 100); // SAFE
    return 0;
}
