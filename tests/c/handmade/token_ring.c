// Three stations pass a token; only its holder sends.
#include <pthread.h>
#include <assert.h>

static volatile int token;
static volatile int medium;

static void *station_0(void *unused) {
    while (1) {
        while (token != 0) ;
        medium = 10;
        assert(medium == 10); // SAFE
        token = 1;
    }
    return 0;
}

static void *station_1(void *unused) {
    while (1) {
        while (token != 1) ;
        assert(medium == 10); // SAFE (needs refinement)
        medium = 11;
        assert(medium == 11); // SAFE
        token = 2;
    }
    return 0;
}

static void *station_2(void *unused) {
    while (1) {
        while (token != 2) ;
        medium = 12;
        assert(medium == 12); // SAFE
        token = 0;
    }
    return 0;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, 0, station_0, 0);
    pthread_create(&b, 0, station_1, 0);
    pthread_create(&c, 0, station_2, 0);
    assert(token >= 0 && token <= 2); // SAFE
    assert(medium != 11); // UNSAFE!
    return 0;
}
