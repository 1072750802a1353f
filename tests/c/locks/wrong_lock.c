// The reader takes a lock, but not the one that the writer holds.
#include <pthread.h>
#include <assert.h>

pthread_mutex_t red = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t blue = PTHREAD_MUTEX_INITIALIZER;
int level;

void *writer(void *unused) {
    pthread_mutex_lock(&red);
    level = 4;
    level = 0;
    pthread_mutex_unlock(&red);
    return 0;
}

void *right_reader(void *unused) {
    pthread_mutex_lock(&red);
    assert(level == 0); // SAFE
    pthread_mutex_unlock(&red);
    return 0;
}

void *wrong_reader(void *unused) {
    pthread_mutex_lock(&blue);
    assert(level == 0); // UNSAFE!
    assert(level <= 4); // SAFE
    pthread_mutex_unlock(&blue);
    return 0;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, 0, writer, 0);
    pthread_create(&b, 0, right_reader, 0);
    pthread_create(&c, 0, wrong_reader, 0);
    pthread_join(a, 0);
    return 0;
}
