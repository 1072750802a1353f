// As copied_bytes.c, but one writer sets the bytes without the lock: half of a number is that of one, half of the other.
#include <assert.h>
#include <pthread.h>
#include <string.h>

static unsigned char cell[2];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *high(void *unused) {
    unsigned short number = 0x0102;
    pthread_mutex_lock(&lock);
    memcpy(cell, &number, sizeof number);
    pthread_mutex_unlock(&lock);
    return 0;
}

static void *low(void *unused) {
    cell[0] = 0x04;
    cell[1] = 0x03;
    return 0;
}

int main(void) {
    pthread_t a, b;
    unsigned short found;
    pthread_create(&a, 0, high, 0);
    pthread_create(&b, 0, low, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    memcpy(&found, cell, sizeof found);
    __goblint_check(found == 0x0102 || found == 0x0304); // UNSAFE!
    assert(found >= 0x0102); // SAFE
    return 0;
}
