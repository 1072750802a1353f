// Before the meeting one thread writes the board, after it the other does.
#include <pthread.h>
#include <assert.h>

int here, there;
int board;

void *first(void *unused) {
    board = 1;
    assert(board == 1); // SAFE
    here = 1;
    while (!there) ;
    assert(board == 1); // UNSAFE!
    return 0;
}

void *second(void *unused) {
    there = 1;
    while (!here) ;
    board = 2;
    assert(board == 2); // SAFE
    assert(here == 1); // SAFE
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    return 0;
}
