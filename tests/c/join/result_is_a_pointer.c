// What a thread gives back is a pointer, and the handle is known only where it was created: in a function called before.
#include <pthread.h>
#include <assert.h>
#include <stdlib.h>

struct job { int input, output; };
static struct job one = {4, 0}, two = {5, 0};
static pthread_t handle;
static int other;

void *square(void *given) {
    struct job *job = given;
    job->output = job->input * 2;
    return job;
}

static struct job *finished(void) {
    void *result;
    if (pthread_join(handle, &result)) exit(1);
    return result;
}

static void begin(struct job *job) {
    if (pthread_create(&handle, 0, square, job)) exit(1);
}

int main(void) {
    int mine = 3;
    begin(&one);
    struct job *back = finished();
    assert(back == &one); // SAFE
    assert(back->output == 8); // SAFE (needs refinement)
    assert(mine == 3); // SAFE
    assert(other == 0); // SAFE
    begin(&two);
    __goblint_check(two.output == 0); // UNSAFE!
    back = finished();
    assert(back->input == 5); // SAFE
    back->output = 1;
    assert(two.output == 1); // SAFE
    assert(one.input == 4); // SAFE
    return 0;
}
