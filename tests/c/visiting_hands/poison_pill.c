// ARGS: --properties assertion,array-bounds
// A bounded queue with a poison pill for each consumer at the end.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

#define CAP 8
#define CONSUMERS 2
#define WORK 20
#define PILL (-1)

static int queue[CAP];
static int in, out, pending;
static int handled, pills;
static sem_t room, items;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void put(int item) {
    sem_wait(&room);
    pthread_mutex_lock(&lock);
    queue[in] = item; // SAFE
    in = (in + 1) % CAP;
    pending++;
    assert(pending <= CAP); // SAFE
    pthread_mutex_unlock(&lock);
    sem_post(&items);
}

static int get(void) {
    sem_wait(&items);
    pthread_mutex_lock(&lock);
    int item = queue[out]; // SAFE
    out = (out + 1) % CAP;
    assert(pending > 0); // SAFE
    pending--;
    pthread_mutex_unlock(&lock);
    sem_post(&room);
    return item;
}

static void *consumer(void *arg) {
    int mine = 0;
    for (;;) {
        int item = get();
        if (item == PILL)
            break;
        assert(item >= 0 && item < WORK); // SAFE
        mine++;
        pthread_mutex_lock(&lock);
        handled++;
        assert(mine <= handled); // SAFE
        pthread_mutex_unlock(&lock);
    }
    pthread_mutex_lock(&lock);
    pills++;
    assert(pills <= CONSUMERS); // SAFE
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void) {
    pthread_t c[CONSUMERS];
    sem_init(&room, 0, CAP);
    sem_init(&items, 0, 0);
    for (int i = 0; i < CONSUMERS; i++)
        pthread_create(&c[i], 0, consumer, 0);
    for (int i = 0; i < WORK; i++)
        put(i);
    for (int i = 0; i < CONSUMERS; i++)
        put(PILL);
    for (int i = 0; i < CONSUMERS; i++)
        pthread_join(c[i], 0);
    assert(pills == CONSUMERS); // SAFE
    assert(handled == WORK); // UNKNOWN (who takes the pills)
    assert(pending == 0); // SAFE
    assert(in == out); // SAFE
    assert(in == 0); // UNSAFE!
    return 0;
}
