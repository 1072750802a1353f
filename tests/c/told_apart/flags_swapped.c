// As ready_flags.c, but one worker sets its flag before the value, in a section of its own.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int is_known, width;

static void *measure(void *unused) {
    pthread_mutex_lock(&lock);
    is_known = 1;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    width = 640;
    pthread_mutex_unlock(&lock);
    return 0;
}

static void *paint(void *unused) {
    pthread_mutex_lock(&lock);
    if (is_known)
        __goblint_check(width == 640); // UNSAFE!
    else
        __goblint_check(width == 0); // SAFE
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, measure, 0);
    pthread_create(&b, 0, paint, 0);
    return 0;
}
