// Conversions to narrower types keep the low bits only.
#include <pthread.h>
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
unsigned char octet;
short word;

void *writer(void *unused) {
    int n = __VERIFIER_nondet_int();
    octet = n;
    word = 1000;
    return 0;
}

int main(void) {
    pthread_t t;
    unsigned char local = 300;
    signed char negative = (signed char)200;
    int byte;
    pthread_create(&t, 0, writer, 0);
    byte = octet;
    assert(byte >= 0); // SAFE
    assert(byte <= 255); // SAFE
    assert(byte <= 254); // UNSAFE!
    assert(local == 44); // SAFE
    assert(negative == -56); // SAFE
    assert(word >= 0); // SAFE
    assert(word == 0); // UNSAFE!
    return 0;
}
