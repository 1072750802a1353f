// ARGS: --properties data-race
// A local variable whose address a thread gets is shared with it.
#include <pthread.h>

struct job {
    int input;
    int output;
};

void *worker(void *arg) {
    struct job *job = arg;
    job->output = job->input + 1; // UNSAFE!
    return 0;
}

int main(void) {
    struct job mine; // SAFE
    struct job other;
    pthread_t one, two;
    mine.input = 1;
    pthread_create(&one, 0, worker, &mine);
    pthread_join(one, 0);
    mine.output = mine.output + mine.input;
    other.input = 2;
    pthread_create(&two, 0, worker, &other);
    other.output = 0; // UNSAFE!
    pthread_join(two, 0);
    return mine.output;
}
