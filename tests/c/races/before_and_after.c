// ARGS: --properties data-race
// What main does before it creates a thread and after it has joined it does not race with that thread.
#include <pthread.h>

int data; // SAFE
int early;

void *worker(void *arg) {
    data = data + 1;
    early = 1; // UNSAFE!
    return 0;
}

int main(void) {
    pthread_t thread;
    data = 1;
    pthread_create(&thread, 0, worker, 0);
    early = 2; // UNSAFE!
    pthread_join(thread, 0);
    data = data + 1;
    return data;
}
