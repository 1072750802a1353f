// ARGS: --properties null-dereference
// Calling a function through a pointer follows that pointer, too.
#include <pthread.h>

int calls;
void ring(void) {
    calls = calls + 1;
}
void (*handler)(void);

void *registrar(void *arg) {
    handler = ring;
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, registrar, 0);
    void (*mine)(void) = handler;
    if (mine != 0) {
        mine(); // SAFE
    }
    void (**slot)(void) = &handler;
    int *none = mine != 0 ? &calls : 0;
    *none = 2; // UNSAFE!
    return slot != 0;
}
