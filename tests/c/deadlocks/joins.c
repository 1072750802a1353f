// ARGS: --properties deadlock
// Three threads that wait in a circle for each other to end, no lock among them.
#include <pthread.h>

pthread_t a, b, c, d;
_Atomic int ready;

void *one(void *unused) {
    if (ready) pthread_join(b, 0); // UNSAFE!
    return 0;
}

void *two(void *unused) {
    if (ready) pthread_join(c, 0); // UNSAFE!
    pthread_join(d, 0); // SAFE
    return 0;
}

void *three(void *unused) {
    if (ready) pthread_join(a, 0); // UNSAFE!
    return 0;
}

void *last(void *unused) {
    return 0;
}

int main(void) {
    pthread_create(&d, 0, last, 0);
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, two, 0);
    pthread_create(&c, 0, three, 0);
    ready = 1;
    pthread_join(a, 0); // SAFE
    return 0;
}
