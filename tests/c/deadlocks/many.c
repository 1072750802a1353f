// ARGS: --properties deadlock --parameterized --entries transfer,audit,report
// Any number of threads: one order for all of them is safe, and trying does not wait.
#include <pthread.h>

pthread_mutex_t from = PTHREAD_MUTEX_INITIALIZER, to = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t log = PTHREAD_MUTEX_INITIALIZER;
int total;

void transfer(void) {
    pthread_mutex_lock(&from); // SAFE
    pthread_mutex_lock(&to); // SAFE
    total = total + 1;
    pthread_mutex_lock(&log); // UNSAFE!
    pthread_mutex_unlock(&log);
    pthread_mutex_unlock(&to);
    pthread_mutex_unlock(&from);
}

void audit(void) {
    pthread_mutex_lock(&to); // SAFE
    if (pthread_mutex_trylock(&from) == 0) {
        total = total - 1;
        pthread_mutex_unlock(&from);
    }
    pthread_mutex_unlock(&to);
}

void report(void) {
    pthread_mutex_lock(&log); // SAFE
    pthread_mutex_lock(&to); // UNSAFE!
    pthread_mutex_unlock(&to);
    pthread_mutex_unlock(&log);
}
