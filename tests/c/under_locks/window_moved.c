// As window.c, but a copy of one bound is compared with the bound that is there in a later section.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int start, end = 4;

static void *shift(void *unused) {
    pthread_mutex_lock(&lock);
    start += 6;
    end += 6;
    pthread_mutex_unlock(&lock);
    return 0;
}

static void *work(void *unused) {
    pthread_mutex_lock(&lock);
    int last = end;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    assert(end - start == 4); // SAFE
    assert(start <= last); // UNSAFE!
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, shift, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
