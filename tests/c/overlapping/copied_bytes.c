// A number is put into a message byte by byte with memcpy and taken out again.
#include <assert.h>
#include <pthread.h>
#include <string.h>

static unsigned char message[8];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *sender(void *unused) {
    int number = 77;
    short kind = 3;
    pthread_mutex_lock(&lock);
    memcpy(message, &number, sizeof number);
    memcpy(message + 4, &kind, sizeof kind);
    pthread_mutex_unlock(&lock);
    return 0;
}

static void *receiver(void *unused) {
    int number;
    short kind;
    pthread_mutex_lock(&lock);
    memcpy(&number, message, sizeof number);
    memcpy(&kind, message + 4, sizeof kind);
    pthread_mutex_unlock(&lock);
    assert(number == 77 || number == 0); // SAFE
    assert(kind == 0 || kind == 3); // SAFE
    __goblint_check(kind == 3); // UNSAFE!
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, sender, 0);
    pthread_create(&b, 0, receiver, 0);
    return 0;
}
