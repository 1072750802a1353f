// ARGS: --properties assertion,null-dereference
// Completed jobs on a list; flags of nodes are set before they are linked.
#include <pthread.h>
#include <stdlib.h>
#include <assert.h>
struct job { int id, result, done; struct job *next; };
static struct job *todo, *finished;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *worker(void *a) {
    for (;;) {
        pthread_mutex_lock(&m);
        struct job *j = todo;
        if (j) todo = j->next; // SAFE
        pthread_mutex_unlock(&m);
        if (!j) break;
        j->result = j->id + 100; // SAFE
        j->done = 1;
        pthread_mutex_lock(&m);
        j->next = finished;
        finished = j;
        pthread_mutex_unlock(&m);
    }
    return a;
}
int main(void) {
    pthread_t w[2];
    for (int i = 0; i < 8; i++) {
        struct job *j = malloc(sizeof *j);
        if (!j) return 1;
        j->id = i; j->done = 0; j->result = 0; j->next = todo; todo = j;
    }
    for (int i = 0; i < 2; i++) pthread_create(&w[i], 0, worker, 0);
    for (int i = 0; i < 2; i++) pthread_join(w[i], 0);
    assert(todo == NULL); // UNKNOWN (which list an item is in)
    int n = 0;
    for (struct job *j = finished; j; j = j->next) {
        assert(j->done);
        assert(j->result >= 100);
        n++;
    }
    assert(n <= 8); // UNKNOWN (which list an item is in)
    return 0;
}
