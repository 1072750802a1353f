// Threads started in a loop: joining one of them says nothing about the others.
#include <pthread.h>
#include <assert.h>

int score;

void *player(void *unused) {
    score = 10;
    return 0;
}

int main(void) {
    pthread_t last;
    int i;
    score = 1;
    assert(score == 1); // SAFE
    for (i = 0; i < 3; i++) pthread_create(&last, 0, player, 0);
    assert(i == 3); // SAFE
    pthread_join(last, 0);
    score = 2;
    assert(score == 2); // UNSAFE!
    assert(score >= 2); // SAFE
    return 0;
}
