// Three stages with one slot between each two, handed on by semaphores.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

#define ITEMS 5

static sem_t a_empty, a_full, b_empty, b_full;
static int a, b;
static int total, received;

static void *source(void *unused) {
    for (int i = 1; i <= ITEMS; i++) {
        sem_wait(&a_empty);
        a = i;
        sem_post(&a_full);
    }
    return unused;
}

static void *square(void *unused) {
    for (int i = 0; i < ITEMS; i++) {
        sem_wait(&a_full);
        int x = a;
        assert(x >= 1 && x <= ITEMS); // SAFE
        assert(x == i + 1); // UNKNOWN (what is proved by cubes backwards alone)
        sem_post(&a_empty);
        sem_wait(&b_empty);
        b = x * x;
        assert(b == x * x); // SAFE
        sem_post(&b_full);
    }
    return unused;
}

static void *sink(void *unused) {
    for (int i = 0; i < ITEMS; i++) {
        sem_wait(&b_full);
        int y = b;
        sem_post(&b_empty);
        assert(y >= 1); // SAFE
        assert(y <= 25); // SAFE
        total += y;
        received++;
        assert(received == i + 1); // SAFE
    }
    assert(total >= ITEMS); // SAFE
    assert(total <= 125); // SAFE
    return unused;
}

int main(void) {
    pthread_t t1, t2, t3;
    sem_init(&a_empty, 0, 1);
    sem_init(&a_full, 0, 0);
    sem_init(&b_empty, 0, 1);
    sem_init(&b_full, 0, 0);
    pthread_create(&t1, 0, source, 0);
    pthread_create(&t2, 0, square, 0);
    pthread_create(&t3, 0, sink, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    pthread_join(t3, 0);
    assert(received == ITEMS); // SAFE
    assert(a == ITEMS); // SAFE
    assert(total == 55); // UNKNOWN (sums of squares by rounds of another thread)
    assert(total == 56); // UNSAFE!
    return 0;
}
