// Bits of a word by masks and by bit-fields: the owner's bits and those of others do not touch.
#include <assert.h>
#include <pthread.h>

static struct { unsigned read : 1, write : 1, level : 6; } rights = {1, 0, 5};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *grant(void *unused) {
    pthread_mutex_lock(&lock);
    rights.write = 1;
    assert(rights.read == 1); // SAFE
    pthread_mutex_unlock(&lock);
    return 0;
}

static void *promote(void *unused) {
    pthread_mutex_lock(&lock);
    if (rights.level < 63)
        rights.level++;
    assert(rights.level <= 63); // SAFE
    assert(rights.level >= 5); // SAFE
    assert(rights.level == 6); // UNSAFE!
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, grant, 0);
    pthread_create(&t, 0, promote, 0);
    pthread_create(&t, 0, promote, 0);
    return 0;
}
