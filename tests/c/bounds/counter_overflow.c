// ARGS: --properties overflow --parameterized --entries bounded,doubling
// A locked counter that stops at its limit cannot overflow; doubling without a limit can.
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int tickets;
int power = 1;

void bounded(void) {
    while (1) {
        pthread_mutex_lock(&lock);
        if (tickets < 50)
            tickets = tickets + 1; // SAFE
        pthread_mutex_unlock(&lock);
    }
}

void doubling(void) {
    while (1) {
        power = power * 2; // UNSAFE!
    }
}
