// A chain of meetings: one lets two go, two lets three go.
#include <pthread.h>
#include <assert.h>

int one_done, two_done;
int token;

void *one(void *unused) {
    token = 1;
    assert(token == 1); // SAFE
    one_done = 1;
    return 0;
}

void *two(void *unused) {
    while (one_done == 0) ;
    token = 2;
    assert(token == 2); // SAFE
    two_done = 1;
    return 0;
}

void *three(void *unused) {
    while (two_done == 0) ;
    assert(two_done == 1); // SAFE
    assert(one_done == 1); // SAFE (needs refinement)
    token = 3;
    assert(token == 3); // SAFE
    return 0;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, two, 0);
    pthread_create(&c, 0, three, 0);
    assert(token != 2); // UNSAFE!
    return 0;
}
