// Readers are numbered below the number of chairs, those who stand from there on; one place gives too much.
#include <assert.h>
#include <threads.h>

static int chairs;

static int sits(void *given) {
    int number = (int)(long)given;
    assert(number < chairs); // SAFE
    return 0;
}

static int stands(void *given) {
    int number = (int)(long)given;
    assert(number >= chairs); // SAFE
    return 0;
}

static int either(void *given) {
    int number = (int)(long)given;
    __goblint_check(number < chairs); // UNSAFE!
    return 0;
}

int main(void) {
    thrd_t t;
    chairs = 12;
    for (int i = 0; i < 40; i++)
        if (i < chairs)
            thrd_create(&t, sits, (void *)(long)i);
        else
            thrd_create(&t, stands, (void *)(long)i);
    for (int i = 0; i <= chairs; i++)
        thrd_create(&t, either, (void *)(long)i);
    return 0;
}
