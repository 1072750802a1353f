// An elevator and its passengers: floors between 0 and 5, a capacity, doors that only open when it stands.
#include <assert.h>
#include <pthread.h>

#define TOP 5
#define ROOM 4

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t arrived = PTHREAD_COND_INITIALIZER;
static int at, moving, door_open, inside, carried, rejected;

static void *drive(void *unused) {
    int step = 1;
    for (int i = 0; i < 12; i++) {
        pthread_mutex_lock(&m);
        door_open = 0;
        moving = 1;
        if (at + step > TOP || at + step < 0)
            step = -step;
        at += step;
        assert(at >= 0 && at <= TOP); // SAFE
        moving = 0;
        door_open = 1;
        pthread_cond_broadcast(&arrived);
        pthread_mutex_unlock(&m);
    }
    pthread_mutex_lock(&m);
    assert(!moving); // SAFE
    door_open = 1;
    pthread_mutex_unlock(&m);
    return unused;
}

static void *ride(void *arg) {
    int people = (int)(long)arg;
    pthread_mutex_lock(&m);
    while (!door_open)
        pthread_cond_wait(&arrived, &m);
    assert(!moving); // SAFE
    if (inside + people <= ROOM) {
        inside += people;
        assert(inside <= ROOM); // SAFE
        pthread_mutex_unlock(&m);
        pthread_mutex_lock(&m);
        while (!door_open)
            pthread_cond_wait(&arrived, &m);
        assert(inside >= people); // SAFE
        inside -= people;
        carried += people;
    } else
        rejected += people;
    assert(inside >= 0); // SAFE
    assert(carried + rejected <= 6); // SAFE
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_t d, p[3];
    pthread_create(&d, 0, drive, 0);
    for (long i = 0; i < 3; i++)
        pthread_create(&p[i], 0, ride, (void *)(i + 1));
    for (int i = 0; i < 3; i++)
        pthread_join(p[i], 0);
    pthread_join(d, 0);
    assert(inside == 0); // SAFE
    assert(carried + rejected == 6); // SAFE
    assert(carried >= 3); // SAFE (whoever comes first gets in, and 1 + 2 have room with each other)
    assert(door_open == 1); // SAFE
    assert(rejected == 0); // UNSAFE!
    return 0;
}
