// Peterson's algorithm needs "whose turn" together with "who wants": two writers of one cell.
#include <pthread.h>
#include <assert.h>

volatile int wants0, wants1, turn;
int room;

void *zero(void *unused) {
    wants0 = 1;
    turn = 1;
    while (wants1 && turn == 1) ;
    assert(wants0 == 1); // SAFE
    room = 10;
    assert(room == 10); // SAFE (needs refinement)
    wants0 = 0;
    assert(room == 10); // UNSAFE!
    return 0;
}

void *one(void *unused) {
    wants1 = 1;
    turn = 0;
    while (wants0 && turn == 0) ;
    room = 11;
    assert(room >= 10); // SAFE
    assert(turn >= 0); // SAFE
    assert(turn <= 1); // SAFE
    wants1 = 0;
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, zero, 0);
    pthread_create(&b, 0, one, 0);
    return 0;
}
