// ARGS: --properties assertion,data-race
// A box of one letter: a semaphore says that it is empty, another one that there is something in it.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t empty, full;
static struct { int number, twice; } box; // SAFE
static int last; // SAFE

static void *sender(void *unused) {
    for (int i = 1; i <= 50; i++) {
        sem_wait(&empty);
        assert(box.twice == 2 * box.number); // SAFE
        box.number = i;
        box.twice = 2 * i;
        sem_post(&full);
    }
    return 0;
}

static void *receiver(void *unused) {
    for (int i = 1; i <= 50; i++) {
        sem_wait(&full);
        assert(box.twice == 2 * box.number); // SAFE
        assert(box.number >= 1 && box.number <= 50); // SAFE
        assert(box.number == i); // SAFE
        assert(box.number > last); // SAFE
        __goblint_check(box.number < 50); // UNSAFE!
        last = box.number;
        box.number = 0;
        box.twice = 0;
        sem_post(&empty);
    }
    return 0;
}

int main(void) {
    pthread_t s, r;
    sem_init(&empty, 0, 1);
    sem_init(&full, 0, 0);
    pthread_create(&s, 0, sender, 0);
    pthread_create(&r, 0, receiver, 0);
    pthread_join(r, 0);
    assert(last == 50); // SAFE
    pthread_join(s, 0);
    assert(box.number == 0 && box.twice == 0); // SAFE
    return 0;
}
