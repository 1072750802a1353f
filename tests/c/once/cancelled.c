// A thread that is cancelled inside of the function has not run it: another one may.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

pthread_once_t control = PTHREAD_ONCE_INIT;
int attempts;

static void prepare(void) {
    attempts = attempts + 1;
    if (attempts == 1)
        for (;;)
            pause();
}

void *user(void *unused) {
    pthread_once(&control, prepare);
    return 0;
}

int main(void) {
    pthread_t a;
    if (pthread_create(&a, 0, user, 0)) exit(1);
    usleep(100000);
    pthread_cancel(a);
    pthread_join(a, 0);
    pthread_once(&control, prepare);
    assert(attempts != 2); // UNSAFE!
    return 0;
}
