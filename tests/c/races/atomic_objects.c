// ARGS: --properties data-race
// Atomic operations do not race with each other, but they do with plain accesses.
#include <pthread.h>
#include <stdatomic.h>

_Atomic int counter;
atomic_int flag;
int word;
int half;
int message; // SAFE

void *worker(void *arg) {
    counter++;
    __atomic_store_n(&word, 1, __ATOMIC_SEQ_CST);
    __sync_fetch_and_add(&half, 1); // UNSAFE!
    message = 1;
    atomic_store(&flag, 1);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    counter = counter + 2;
    int local = __atomic_load_n(&word, __ATOMIC_SEQ_CST);
    half = half + local; // UNSAFE!
    while (atomic_load(&flag) == 0) {
    }
    return message;
}
