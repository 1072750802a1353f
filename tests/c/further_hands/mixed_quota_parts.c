// Threads reserve quota, use it in pieces, give back the rest.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int quota, limit;

static int reserve(int want) {
    pthread_mutex_lock(&m);
    int got = want <= quota ? want : quota;
    quota -= got;
    assert(quota >= 0); // SAFE
    assert(got <= want); // SAFE
    pthread_mutex_unlock(&m);
    return got;
}

static void give_back(int n) {
    pthread_mutex_lock(&m);
    quota += n;
    assert(quota <= limit); // SAFE
    pthread_mutex_unlock(&m);
}

static void *worker(void *arg) {
    int mine = reserve(rand() % 16 + 1);
    int used = 0;
    assert(mine >= 0); // SAFE
    assert(mine <= 16); // SAFE
    while (used < mine && rand() % 3)
        used++;
    assert(used <= mine); // SAFE
    give_back(mine - used);
    return arg;
}

int main(int argc, char **argv) {
    pthread_t t[4];
    limit = argc > 1 ? 100 : 50;
    quota = limit;
    for (int i = 0; i < 4; i++)
        pthread_create(&t[i], NULL, worker, NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], NULL);
    assert(quota >= 0); // SAFE
    assert(quota <= limit); // SAFE
    assert(quota <= 100); // SAFE
    return 0;
}
