// The limit is only raised while threads run: who was given a number below it stays below.
#include <assert.h>
#include <pthread.h>

static int limit = 2, lowered = 2;

static void *client(void *given) {
    int ticket = *(int *)given;
    assert(ticket >= 0); // SAFE
    return 0;
}

static void *numbered(void *given) {
    int ticket = (int)(long)given;
    assert(ticket < limit); // SAFE
    __goblint_check(ticket < lowered); // UNSAFE!
    return 0;
}

int main(void) {
    static int zero;
    pthread_t t;
    pthread_create(&t, 0, client, &zero);
    for (int i = 0; i < 50; i++) {
        while (i >= limit) {
            limit += 2;
            lowered = limit;
        }
        if (i < lowered)
            pthread_create(&t, 0, numbered, (void *)(long)i);
        lowered = 1;
    }
    return 0;
}
