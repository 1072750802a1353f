// Two locks, always taken in the same order; a third thread takes only the inner one.
#include <pthread.h>
#include <assert.h>

pthread_mutex_t outer = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t inner = PTHREAD_MUTEX_INITIALIZER;
int wide, narrow;

void *both(void *unused) {
    pthread_mutex_lock(&outer);
    wide = 1;
    pthread_mutex_lock(&inner);
    narrow = 1;
    assert(wide == 1); // SAFE
    assert(narrow == 1); // SAFE
    narrow = 0;
    pthread_mutex_unlock(&inner);
    assert(wide == 1); // SAFE
    wide = 0;
    pthread_mutex_unlock(&outer);
    return 0;
}

void *inner_only(void *unused) {
    pthread_mutex_lock(&inner);
    assert(narrow == 0); // SAFE
    assert(wide == 0); // UNSAFE!
    narrow = 2;
    narrow = 0;
    pthread_mutex_unlock(&inner);
    return 0;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, 0, both, 0);
    pthread_create(&b, 0, both, 0);
    pthread_create(&c, 0, inner_only, 0);
    return 0;
}
