// Two ferries carry cars between an island and the mainland; each has its own count, the harbour master looks at all.
#include <assert.h>
#include <pthread.h>

#define CARS 12

struct place { int cars; };

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static struct place mainland = { CARS }, island;
static int on_a, on_b, trips;

static void *ferry_a(void *u) {
    for (int i = 0; i < 4; i++) {
        pthread_mutex_lock(&m);
        int load = mainland.cars < 3 ? mainland.cars : 3;
        mainland.cars -= load;
        on_a += load;
        pthread_mutex_unlock(&m);

        pthread_mutex_lock(&m);
        assert(on_a == load); // SAFE
        island.cars += on_a;
        on_a = 0;
        trips++;
        pthread_mutex_unlock(&m);
    }
    return u;
}

static void *ferry_b(void *u) {
    for (int i = 0; i < 4; i++) {
        pthread_mutex_lock(&m);
        if (island.cars >= 2) {
            island.cars -= 2;
            on_b = 2;
        }
        pthread_mutex_unlock(&m);

        pthread_mutex_lock(&m);
        assert(on_b == 0 || on_b == 2); // SAFE
        mainland.cars += on_b;
        on_b = 0;
        trips++;
        pthread_mutex_unlock(&m);
    }
    return u;
}

static void *harbour_master(void *u) {
    pthread_mutex_lock(&m);
    int seen = mainland.cars + island.cars;
    assert(seen <= CARS); // SAFE
    assert(seen + on_a + on_b == CARS); // SAFE
    assert(seen >= CARS - 5); // SAFE
    pthread_mutex_unlock(&m);
    return u;
}

int main(void) {
    pthread_t a, b, h;
    pthread_create(&a, 0, ferry_a, 0);
    pthread_create(&b, 0, ferry_b, 0);
    pthread_create(&h, 0, harbour_master, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(h, 0);
    assert(trips == 8); // SAFE
    assert(on_a == 0 && on_b == 0); // SAFE
    assert(mainland.cars + island.cars == CARS); // SAFE
    assert(island.cars > 4); // UNSAFE!
    return 0;
}
