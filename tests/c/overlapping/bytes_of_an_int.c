// The bytes of an int through a pointer to characters, in a thread of its own and before it is shared.
#include <assert.h>
#include <pthread.h>

static int shared_number;

static void *work(void *unused) {
    int number = 0x01020304;
    unsigned char *bytes = (unsigned char *)&number;
    assert(bytes[0] == 4); // SAFE
    assert(bytes[3] == 1); // SAFE
    bytes[1] = 0;
    assert(number == 0x01020004); // SAFE
    shared_number = number;
    return 0;
}

int main(void) {
    pthread_t t;
    if (pthread_create(&t, 0, work, 0))
        return 1;
    __goblint_check(shared_number == 0); // UNSAFE!
    pthread_join(t, 0);
    assert(*(unsigned char *)&shared_number == 4); // SAFE
    return 0;
}
