// A parking deck with a barrier at its entrance: who finds no place drives on, who parks leaves again.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

#define PLACES 2
#define CARS 3
static pthread_mutex_t barrier = PTHREAD_MUTEX_INITIALIZER;
static int vacant = PLACES, parked, drove_on, income;

static bool enter(void) {
    bool let_in = false;
    pthread_mutex_lock(&barrier);
    if (vacant > 0) {
        vacant--;
        parked++;
        let_in = true;
    } else
        drove_on++;
    assert(vacant >= 0); // SAFE
    assert(vacant + parked == PLACES); // SAFE
    pthread_mutex_unlock(&barrier);
    return let_in;
}

static void leave(void) {
    pthread_mutex_lock(&barrier);
    assert(parked > 0); // SAFE
    parked--;
    vacant++;
    income += 5;
    assert(vacant <= PLACES); // SAFE
    pthread_mutex_unlock(&barrier);
}

static void *car(void *unused) {
    if (enter()) {
        __goblint_check(vacant == PLACES - 1); // UNSAFE!
        leave();
    }
    return 0;
}

int main(void) {
    pthread_t cars[CARS];
    for (int i = 0; i < CARS; i++)
        pthread_create(&cars[i], 0, car, 0);
    for (int i = 0; i < CARS; i++)
        pthread_join(cars[i], 0);
    assert(vacant == PLACES); // SAFE
    assert(parked == 0); // SAFE
    assert(income + 5 * drove_on == 5 * CARS); // SAFE
    assert(drove_on <= CARS - PLACES); // SAFE
    __goblint_check(drove_on == 0); // UNSAFE!
    return 0;
}
