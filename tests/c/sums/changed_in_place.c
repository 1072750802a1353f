// ARGS: --properties assertion
// Elements of short arrays that are changed where they are, by an index that is not known: whichever it is, what one
// loses another one gets. In `leaked` the index is another one by then, in `lost` no lock is held.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int purse[3] = {5, 5, 5}, box[3] = {1, 1, 1}, jar[2] = {4, 4};
static int steps[2], all;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *pay(void *arg) {
    int from = rand() % 3, to = rand() % 3, n = rand() % 4;
    pthread_mutex_lock(&lock);
    purse[from] -= n;
    purse[to] += n;
    assert(purse[0] + purse[1] + purse[2] == 15); // SAFE
    steps[from % 2]++;
    all++;
    assert(steps[0] + steps[1] == all); // SAFE
    pthread_mutex_unlock(&lock);
    return arg;
}

static void *leaked(void *arg) {
    int i = rand() % 2;
    pthread_mutex_lock(&lock);
    box[i]--;
    i++;
    if (box[i] < 3)
        box[i]++;
    assert(box[0] + box[1] + box[2] == 3); // UNSAFE!
    pthread_mutex_unlock(&lock);
    return arg;
}

static void *lost(void *arg) {
    int i = rand() % 2;
    jar[i]--;
    jar[1 - i]++;
    return arg;
}

int main(void) {
    pthread_t t[7];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, pay, NULL);
    for (int i = 2; i < 5; i++)
        pthread_create(&t[i], NULL, leaked, NULL);
    for (int i = 5; i < 7; i++)
        pthread_create(&t[i], NULL, lost, NULL);
    for (int i = 0; i < 7; i++)
        pthread_join(t[i], NULL);
    assert(purse[0] + purse[1] + purse[2] == 15); // SAFE
    assert(jar[0] + jar[1] == 8); // UNSAFE!
    return 0;
}
