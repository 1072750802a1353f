// Cars look for a free bay, one after the other, and leave it as they found it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define BAYS 4

struct bay {
    atomic_int taken;
    int car;
    int arrivals, departures;
};

static struct bay bays[BAYS];
static atomic_int turned_away;

static struct bay *park(int car) {
    for (int i = 0; i < BAYS; i++) {
        if (!atomic_exchange(&bays[i].taken, 1)) {
            assert(bays[i].car == 0); // SAFE
            bays[i].car = car;
            bays[i].arrivals++;
            return &bays[i];
        }
    }
    atomic_fetch_add(&turned_away, 1);
    return 0;
}

static void leave(struct bay *b) {
    b->car = 0;
    b->departures++;
    assert(b->departures == b->arrivals); // SAFE
    atomic_store(&b->taken, 0);
}

static void *drive(void *arg) {
    int car = 1 + (int)(long)arg;
    for (int trip = 0; trip < 3; trip++) {
        struct bay *b = park(car);
        if (!b)
            continue;
        assert(b->car == car); // SAFE
        leave(b);
    }
    return 0;
}

int main(void) {
    pthread_t cars[3];
    for (long c = 0; c < 3; c++)
        pthread_create(&cars[c], 0, drive, (void *)c);
    for (int c = 0; c < 3; c++)
        pthread_join(cars[c], 0);
    for (int i = 0; i < BAYS; i++) {
        assert(bays[i].car == 0); // SAFE
        assert(bays[i].arrivals == bays[i].departures); // SAFE
    }
    return 0;
}
