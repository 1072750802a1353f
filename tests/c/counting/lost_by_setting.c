// What is set is not only counted: the sum of what was added says nothing behind a reset.
#include <pthread.h>
#include <assert.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count, late, early = 7;

static void *adds(void *unused) {
    pthread_mutex_lock(&lock);
    count++;
    late += 3;
    early++;
    pthread_mutex_unlock(&lock);
    return 0;
}

static void *resets(void *unused) {
    pthread_mutex_lock(&lock);
    count = 0;
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t a, b, c;
    early = 5;
    pthread_create(&a, 0, adds, 0);
    pthread_create(&b, 0, adds, 0);
    pthread_create(&c, 0, resets, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
    assert(count == 2); // UNSAFE!
    assert(count <= 2); // SAFE
    assert(late == 6); // SAFE
    assert(early == 7); // SAFE
    late = 1;
    assert(late == 1); // SAFE
    return 0;
}
