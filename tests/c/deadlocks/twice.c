// ARGS: --properties deadlock
// A plain mutex that its holder takes again; a recursive one may be.
#include <pthread.h>

pthread_mutex_t plain = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t deep;
int value;

int get(void) {
    pthread_mutex_lock(&plain); // UNSAFE!
    int found = value;
    pthread_mutex_unlock(&plain);
    return found;
}

int get_deep(void) {
    pthread_mutex_lock(&deep); // SAFE
    int found = value;
    pthread_mutex_unlock(&deep);
    return found;
}

int main(void) {
    pthread_mutexattr_t kind;
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&deep, &kind);
    pthread_mutex_lock(&deep); // SAFE
    int sum = get_deep();
    pthread_mutex_unlock(&deep);
    pthread_mutex_lock(&plain); // SAFE
    sum = sum + get();
    pthread_mutex_unlock(&plain);
    return sum;
}
