// Loops with constant bounds, whose sums are known: of a local, of a table, and of a global before it is shared.
#include <assert.h>
#include <pthread.h>

#define ROUNDS 50
static int total;
static int triangle[10];

static void *reader(void *unused) {
    assert(total == 1225); // SAFE
    assert(triangle[9] == 45); // SAFE
    return 0;
}

int main(void) {
    pthread_t t;
    int evens = 0;
    for (int i = 0; i < ROUNDS; i++) {
        total += i;
        if (i % 2 == 0)
            evens++;
    }
    assert(total == 1225); // SAFE
    assert(evens == 25); // SAFE
    triangle[0] = 0;
    for (int i = 1; i < 10; i++)
        triangle[i] = triangle[i - 1] + i;
    assert(triangle[4] == 10); // SAFE
    pthread_create(&t, 0, reader, 0);
    pthread_join(t, 0);
    return 0;
}
