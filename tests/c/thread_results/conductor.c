// A conductor starts the players and waits for those that it could start: who waits for it has waited for all.
#include <assert.h>
#include <pthread.h>

static int strings, winds, score;

static void *play_strings(void *unused) {
    strings = 1;
    strings = 2;
    return 0;
}

static void *play_winds(void *unused) {
    winds = strings >= 0 ? 5 : 6;
    return 0;
}

static void *conduct(void *unused) {
    pthread_t first, second;
    if (pthread_create(&first, 0, play_strings, 0))
        return 0;
    if (pthread_create(&second, 0, play_winds, 0) == 0)
        pthread_join(second, 0);
    pthread_join(first, 0);
    score = strings + winds;
    return 0;
}

int main(void) {
    pthread_t conductor;
    if (pthread_create(&conductor, 0, conduct, 0))
        return 1;
    assert(strings != 1); // UNSAFE!
    pthread_join(conductor, 0);
    assert(strings == 0 || strings == 2); // SAFE
    assert(score == strings + winds); // SAFE
    strings = 9;
    winds = strings;
    assert(strings == 9); // SAFE
    assert(winds == 9); // SAFE
    return 0;
}
