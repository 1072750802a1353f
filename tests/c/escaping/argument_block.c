// Arguments passed in a structure on the stack of main, which changes it too early.
#include <pthread.h>
#include <assert.h>

struct job {
    int size;
    int kind;
};

void *run(void *argument) {
    struct job *job = argument;
    assert(job->kind == 2); // SAFE
    assert(job->size >= 16); // SAFE
    assert(job->size == 16); // UNSAFE!
    return 0;
}

int main(void) {
    pthread_t t;
    struct job job;
    job.size = 16;
    job.kind = 2;
    pthread_create(&t, 0, run, &job);
    job.size = 32;
    assert(job.size == 32); // SAFE
    pthread_join(t, 0);
    return 0;
}
