// As bytes_and_words.c, but the last word of a message is a short one.
#include <pthread.h>
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int words, bytes;

void *writer(void *unused) {
    int is_last = __VERIFIER_nondet_int();
    pthread_mutex_lock(&lock);
    words++;
    bytes += is_last ? 2 : 4;
    assert(bytes == 4 * words); // UNSAFE!
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t thread;
    for (int i = 0; i < 3; i++)
        pthread_create(&thread, 0, writer, 0);
    return 0;
}
