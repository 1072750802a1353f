// ARGS: --properties deadlock
// A thread that reads wants to write: it waits for itself to end reading.
#include <pthread.h>

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
int value;

void set(int to) {
    pthread_rwlock_wrlock(&lock); // UNSAFE!
    value = to;
    pthread_rwlock_unlock(&lock);
}

int get(void) {
    pthread_rwlock_rdlock(&lock); // SAFE
    int found = value;
    pthread_rwlock_unlock(&lock);
    return found;
}

int main(void) {
    int before = get();
    pthread_rwlock_rdlock(&lock); // SAFE
    if (value == before) set(before + 1);
    pthread_rwlock_unlock(&lock);
    return get();
}
