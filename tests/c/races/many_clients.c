// ARGS: --properties data-race --parameterized --entries writer,reader
// Any number of threads of each kind.
#include <pthread.h>

int count; // SAFE
int last;
int constant = 7;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

void writer(void) {
    pthread_mutex_lock(&mutex);
    count = count + constant;
    pthread_mutex_unlock(&mutex);
    last = constant; // UNSAFE!
}

void reader(void) {
    pthread_mutex_lock(&mutex);
    int seen = count;
    pthread_mutex_unlock(&mutex);
    seen = seen + constant;
}
