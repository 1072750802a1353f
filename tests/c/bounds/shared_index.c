// ARGS: --properties array-bounds
// The index is checked and used: on a copy that is safe, on the shared cell it is not.
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
int table[10];
int position;

void *mover(void *unused) {
    while (1) position = __VERIFIER_nondet_int();
    return 0;
}

int main(void) {
    pthread_t t;
    int copy;
    pthread_create(&t, 0, mover, 0);
    while (1) {
        copy = position;
        if (copy >= 0 && copy < 10)
            table[copy] = 1; // SAFE
        if (position >= 0 && position < 10)
            table[position] = 1; // UNSAFE!
    }
    return 0;
}
