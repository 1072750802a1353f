// Handles in a structure, one for each task, joined in the opposite order; each result is a pointer into a table.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static const int squares[4] = {0, 1, 4, 9};

struct task {
    pthread_t handle;
    int index;
    const int *answer;
} tasks[3];

static void *solve(void *argument) {
    struct task *t = argument;
    return (void *)&squares[t->index];
}

static void start(struct task *t, int index) {
    t->index = index;
    if (pthread_create(&t->handle, 0, solve, t))
        exit(1);
}

int main(void) {
    for (int i = 0; i < 3; i++)
        start(&tasks[i], i + 1);
    for (int i = 2; i >= 0; i--) {
        void *found;
        pthread_join(tasks[i].handle, &found);
        tasks[i].answer = found;
    }
    assert(tasks[0].answer == &squares[1]); // SAFE
    assert(*tasks[1].answer == 4); // SAFE
    assert(*tasks[2].answer <= 9); // SAFE
    return 0;
}
