// Tasks with functions, which workers take from the end of a table.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#define THREADS 4
#define QUEUE 32
typedef int (*task_fn)(int);
struct task { task_fn run; int arg; };
static struct task tasks[QUEUE];
static int n_tasks, active, done;
static bool stopping;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t wake = PTHREAD_COND_INITIALIZER, idle = PTHREAD_COND_INITIALIZER;
static int twice(int x) {
        assert(x >= 0 && x <= 9); // SAFE
        return 2 * x; }
static int once(int x) { return x; }
static bool submit(task_fn f, int arg) {
    bool ok = false;
    pthread_mutex_lock(&lock);
    if (n_tasks < QUEUE && !stopping) {
        tasks[n_tasks].run = f;
        tasks[n_tasks].arg = arg;
        n_tasks++;
        ok = true;
        pthread_cond_signal(&wake);
    }
    pthread_mutex_unlock(&lock);
    return ok;
}
static void *worker(void *unused) {
    pthread_mutex_lock(&lock);
    for (;;) {
        while (n_tasks == 0 && !stopping) pthread_cond_wait(&wake, &lock);
        if (n_tasks == 0) break;
        assert(n_tasks > 0 && n_tasks <= QUEUE); // SAFE
        struct task t = tasks[--n_tasks];
        active++;
        assert(active <= THREADS); // SAFE
        pthread_mutex_unlock(&lock);
        int r = t.run(t.arg);
        assert(r >= 0 && r <= 18); // SAFE
        pthread_mutex_lock(&lock);
        assert(active > 0); // SAFE
        active--;
        done++;
        if (active == 0) pthread_cond_signal(&idle);
    }
    assert(stopping); // SAFE
    pthread_mutex_unlock(&lock);
    return 0;
}
int main(void) {
    pthread_t t[THREADS];
    for (int i = 0; i < THREADS; i++) pthread_create(&t[i], 0, worker, 0);
    int sent = 0;
    for (int i = 0; i < 10; i++) if (submit(i % 2 ? twice : once, i)) sent++;
    assert(sent <= 10); // SAFE
    pthread_mutex_lock(&lock);
    stopping = true;
    pthread_cond_broadcast(&wake);
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < THREADS; i++) pthread_join(t[i], 0);
    assert(active == 0); // SAFE
    assert(n_tasks == 0); // UNKNOWN (what is left when all have ended)
    assert(done == sent); // UNKNOWN (what is left when all have ended)
    return 0;
}
