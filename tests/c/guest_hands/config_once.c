// ARGS: --properties assertion,data-race,division-by-zero
// Settings that are read once, by whichever thread comes first, and used by all.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int workers, chunk; // SAFE
static int loads; // SAFE
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int assigned; // SAFE

static void load(void) {
    const char *s = getenv("WORKERS");
    workers = s ? atoi(s) : 4;
    if (workers < 1)
        workers = 1;
    if (workers > 64)
        workers = 64;
    chunk = 640 / workers; // SAFE
    loads++;
}

static void *run(void *arg) {
    pthread_once(&once, load);
    assert(loads == 1); // SAFE
    assert(workers >= 1 && workers <= 64); // SAFE
    assert(chunk >= 10); // SAFE
    assert(chunk <= 640); // SAFE
    pthread_mutex_lock(&m);
    if (assigned + chunk <= 640)
        assigned += chunk;
    assert(assigned >= 10); // UNKNOWN (what is proved by cubes backwards alone)
    assert(assigned <= 640); // SAFE
    int share = 100 / workers; // SAFE
    pthread_mutex_unlock(&m);
    assert(share >= 1 && share <= 100); // SAFE
    return arg;
}

int main(void) {
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], 0, run, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    pthread_once(&once, load);
    assert(loads == 1); // SAFE
    assert(chunk * workers <= 640); // UNKNOWN (a product of what was divided)
    assert(assigned == 640); // UNSAFE!
    return 0;
}
