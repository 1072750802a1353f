// As limits.c, but an operator may lower the highest level without looking at the level.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int level = 5, highest = 9;

static void *raise(void *unused) {
    for (int i = 0; i < 4; i++) {
        pthread_mutex_lock(&lock);
        if (level < highest)
            level++;
        assert(level <= 9); // SAFE
        assert(level <= highest); // UNSAFE!
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

static void *operate(void *unused) {
    pthread_mutex_lock(&lock);
    highest = 6;
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, raise, 0);
    pthread_create(&b, 0, operate, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
