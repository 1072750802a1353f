// Seats that go to whoever first writes a number over 0, for good, and what was paid for each.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define SEATS 3
#define PRICE 20

static atomic_int holder[SEATS];
static int paid[SEATS];

static void *customer(void *arg) {
    int me = 1 + (int)(long)arg;
    int wish = me % SEATS;
    for (int attempt = 0; attempt < SEATS; attempt++) {
        int seat = (wish + attempt) % SEATS;
        int nobody = 0;
        if (atomic_compare_exchange_strong(&holder[seat], &nobody, me)) {
            assert(paid[seat] == 0); // SAFE
            paid[seat] = PRICE;
            assert(holder[seat] == me); // SAFE
            break;
        }
        assert(nobody >= 1 && nobody <= 4); // SAFE
    }
    return 0;
}

int main(void) {
    pthread_t t[4];
    for (long i = 0; i < 4; i++)
        pthread_create(&t[i], 0, customer, (void *)i);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], 0);
    for (int s = 0; s < SEATS; s++) {
        assert(paid[s] == 0 || paid[s] == PRICE); // SAFE
        assert(holder[s] != 0 || paid[s] == 0); // SAFE
    }
    return 0;
}
