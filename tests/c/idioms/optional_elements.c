// ARGS: --properties assertion,data-race,null-dereference
// A table of sessions, some of them absent.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#define N 8
struct session { int id; int active; };
static struct session *table[N];
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *unused) {
    for (int i = 0; i < N; i++) {
        pthread_mutex_lock(&m);
        struct session *s = table[i];
        if (s) {
            s->active++;
            assert(s->id >= 0); // UNKNOWN (elements that may be null)
            assert(s->id < N); // UNKNOWN (elements that may be null)
        }
        pthread_mutex_unlock(&m);
    }
    return 0;
}

int main(void) {
    pthread_t a, b;
    for (int i = 0; i < N; i++) {
        table[i] = malloc(sizeof *table[i]);
        if (table[i] == 0)
            continue;
        table[i]->id = i; // SAFE
        table[i]->active = 0; // SAFE
    }
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    for (int i = 0; i < N; i++)
        if (table[i])
            assert(table[i]->active >= 0); // UNKNOWN (elements that may be null)
    return 0;
}
