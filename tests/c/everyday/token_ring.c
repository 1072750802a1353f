// A token goes around three threads; who has it works on the shared log.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t moved = PTHREAD_COND_INITIALIZER;
static int turn, writing, lines;

static void step(int mine, int next) {
    pthread_mutex_lock(&lock);
    while (turn != mine)
        pthread_cond_wait(&moved, &lock);
    pthread_mutex_unlock(&lock);
    writing++;
    assert(writing == 1); // SAFE
    lines++;
    writing--;
    pthread_mutex_lock(&lock);
    assert(turn == mine); // SAFE
    turn = next;
    pthread_cond_broadcast(&moved);
    pthread_mutex_unlock(&lock);
}

static void *zero(void *unused) {
    step(0, 1);
    __goblint_check(lines == 1); // UNSAFE!
    return 0;
}

static void *one(void *unused) {
    step(1, 2);
    return 0;
}

static void *two(void *unused) {
    step(2, 0);
    assert(lines == 3); // SAFE
    return 0;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, 0, zero, 0);
    pthread_create(&b, 0, one, 0);
    pthread_create(&c, 0, two, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
    assert(lines == 3); // SAFE
    assert(writing == 0 && turn == 0); // SAFE
    return 0;
}
