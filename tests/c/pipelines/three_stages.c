// Values pass through three stages, each with its own full flag.
#include <pthread.h>
#include <assert.h>

static volatile int full_1, full_2, slot_1, slot_2, result;

static void *stage_1(void *unused) {
    for (int i = 1; i <= 3; i++) {
        while (full_1) ;
        slot_1 = i;
        full_1 = 1;
    }
    return 0;
}

static void *stage_2(void *unused) {
    for (int i = 0; i < 3; i++) {
        int value;
        while (!full_1) ;
        value = slot_1;
        full_1 = 0;
        assert(value >= 1 && value <= 3); // SAFE (needs refinement)
        while (full_2) ;
        slot_2 = value + 10;
        full_2 = 1;
    }
    return 0;
}

static void *stage_3(void *unused) {
    for (int i = 0; i < 3; i++) {
        while (!full_2) ;
        result = slot_2;
        full_2 = 0;
        assert(result >= 0); // SAFE
        assert(result <= 13); // SAFE
        assert(result != 12); // UNSAFE!
    }
    return 0;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, 0, stage_1, 0);
    pthread_create(&b, 0, stage_2, 0);
    pthread_create(&c, 0, stage_3, 0);
    assert(result <= 13); // SAFE
    return 0;
}
