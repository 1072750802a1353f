// The mutex is initialised at run time, before and after the threads start.
#include <pthread.h>
#include <assert.h>

static pthread_mutex_t early, late;
static int guarded;
static int exposed;

static void *client(void *unused) {
    pthread_mutex_lock(&early);
    guarded = 1;
    assert(guarded == 1); // SAFE
    guarded = 0;
    pthread_mutex_unlock(&early);
    pthread_mutex_lock(&late);
    exposed = 1;
    assert(exposed == 1); // UNSAFE!
    exposed = 0;
    pthread_mutex_unlock(&late);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_mutex_init(&early, 0);
    pthread_create(&a, 0, client, 0);
    pthread_create(&b, 0, client, 0);
    pthread_mutex_init(&late, 0); /* too late: frees a mutex that may be held */
    pthread_mutex_lock(&early);
    assert(guarded == 0); // SAFE
    pthread_mutex_unlock(&early);
    return 0;
}
