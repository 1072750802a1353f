// Two teams with two runners each; a baton per team is handed on by a semaphore, laps are counted.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

#define LAPS 2
static sem_t baton[2], whistle;
static pthread_mutex_t board = PTHREAD_MUTEX_INITIALIZER;
static int laps, finished;

static void run(sem_t *mine) {
    for (int i = 0; i < LAPS; i++) {
        sem_wait(mine);
        pthread_mutex_lock(&board);
        laps++;
        assert(laps >= 1); // SAFE
        assert(laps <= 4 * LAPS); // SAFE
        pthread_mutex_unlock(&board);
        sem_post(mine);
    }
    pthread_mutex_lock(&board);
    finished++;
    assert(finished * LAPS <= laps); // SAFE
    __goblint_check(laps == 4 * LAPS); // UNSAFE!
    pthread_mutex_unlock(&board);
    sem_post(&whistle);
}

static void *left(void *unused) {
    run(&baton[0]);
    return 0;
}

static void *right(void *unused) {
    run(&baton[1]);
    return 0;
}

int main(void) {
    pthread_t t[4];
    sem_init(&baton[0], 0, 1);
    sem_init(&baton[1], 0, 1);
    sem_init(&whistle, 0, 0);
    for (int i = 0; i < 4; i++)
        pthread_create(&t[i], 0, i % 2 ? right : left, 0);
    sem_wait(&whistle);
    pthread_mutex_lock(&board);
    assert(finished >= 1); // UNKNOWN (what has been counted before a signal)
    assert(laps >= LAPS); // SAFE
    pthread_mutex_unlock(&board);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], 0);
    assert(laps == 4 * LAPS); // SAFE
    assert(finished == 4); // SAFE
    int value;
    sem_getvalue(&whistle, &value);
    assert(value == 3); // SAFE
    sem_getvalue(&baton[0], &value);
    assert(value == 1); // SAFE
    return 0;
}
