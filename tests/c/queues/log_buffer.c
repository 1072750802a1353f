// ARGS: --properties assertion,array-bounds,overflow --parameterized --entries log_line,flush
// Lines are appended to a buffer under a lock; a line that does not fit is dropped and counted, without end.
#include <pthread.h>
#include <assert.h>
#include <string.h>

#define CAPACITY 16
extern int __VERIFIER_nondet_int(void);
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char buffer[CAPACITY];
static int length, dropped = 2147483646, flushed;

void log_line(void) {
    int size = __VERIFIER_nondet_int();
    if (size < 1 || size > 16) return;
    pthread_mutex_lock(&lock);
    if (length > CAPACITY - size) {
        dropped = dropped + 1; // UNSAFE!
    } else {
        int end = length + size; // SAFE
        for (int i = length; i < end; i++)
            buffer[i] = 'x'; // SAFE
        length = end;
    }
    assert(length <= CAPACITY); // SAFE
    pthread_mutex_unlock(&lock);
    for (int again = 0; again < 40 && flushed == 0; again++) {
        pthread_mutex_lock(&lock);
        if (length == CAPACITY)
            dropped = dropped + 1; // UNSAFE!
        else if (length < CAPACITY)
            buffer[length++] = '\n'; // SAFE
        pthread_mutex_unlock(&lock);
    }
}

void flush(void) {
    pthread_mutex_lock(&lock);
    if (length > 0 && buffer[length - 1] == '\n') flushed = 1; // SAFE
    length = 0;
    pthread_mutex_unlock(&lock);
}
