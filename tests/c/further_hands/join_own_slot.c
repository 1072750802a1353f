// Workers find their own slot by comparing handles; main writes the handles down before it opens the gate.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#define N 3

struct worker {
    pthread_t handle;
    int started;
    int result;
};

static struct worker workers[N];
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t opened = PTHREAD_COND_INITIALIZER;
static int is_open;

static void *work(void *arg) {
    struct worker *given = arg;
    assert(workers[N - 1].started); // UNSAFE!
    pthread_mutex_lock(&gate);
    while (!is_open)
        pthread_cond_wait(&opened, &gate);
    pthread_mutex_unlock(&gate);
    int mine = -1;
    for (int i = 0; i < N; i++)
        if (pthread_equal(workers[i].handle, pthread_self()))
            mine = i;
    // All handles are there, and this thread is one of these.
    assert(mine >= 0); // UNKNOWN (a search that finds something)
    assert(&workers[mine] == given); // SAFE
    given->result = 7 + (int)(given - workers);
    return given;
}

int main(void) {
    pthread_mutex_lock(&gate);
    for (int i = 0; i < N; i++) {
        pthread_create(&workers[i].handle, NULL, work, &workers[i]);
        workers[i].started = 1;
    }
    is_open = 1;
    pthread_cond_broadcast(&opened);
    pthread_mutex_unlock(&gate);
    assert(!pthread_equal(workers[0].handle, workers[1].handle)); // SAFE
    for (int i = 0; i < N; i++) {
        void *back;
        pthread_join(workers[i].handle, &back);
        assert(back == &workers[i]); // SAFE
        assert(workers[i].result == 7 + i); // SAFE
    }
    assert(workers[0].started && workers[2].started); // SAFE
    return 0;
}
