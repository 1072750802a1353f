// Each thread gives back a pointer to its part of a result, which main adds up after both joins.
#include <assert.h>
#include <pthread.h>

struct part { int from, to, sum; };

static void *add(void *given) {
    struct part *p = given;
    p->sum = 0;
    for (int i = p->from; i < p->to; i++)
        p->sum += i;
    return p;
}

int main(void) {
    struct part low = {0, 3, -1}, high = {3, 5, -1};
    struct part *first, *second;
    pthread_t a, b;
    if (pthread_create(&a, 0, add, &low) || pthread_create(&b, 0, add, &high))
        return 1;
    pthread_join(a, (void **)&first);
    pthread_join(b, (void **)&second);
    assert(first == &low); // SAFE
    assert(second == &high); // SAFE
    assert(first->sum == 3); // SAFE
    assert(first->sum + second->sum == 10); // SAFE
    return 0;
}
