// ARGS: --properties assertion,data-race,array-bounds
// A log: whoever finds room takes a slot under the lock and fills it outside.
#include <assert.h>
#include <pthread.h>
#include <string.h>

#define SLOTS 8
struct entry { int id; int length; };
static struct entry log_[SLOTS]; // SAFE
static unsigned used; // SAFE
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static struct entry *take(void) {
    struct entry *e = 0;
    pthread_mutex_lock(&m);
    if (used < SLOTS)
        e = &log_[used++];
    assert(used <= SLOTS); // SAFE
    pthread_mutex_unlock(&m);
    return e;
}

static void *writer(void *arg) {
    int id = (int)(long)arg;
    for (int n = 0; n < 5; n++) {
        struct entry *e = take();
        if (!e)
            return 0;
        e->id = id;
        e->length = n;
        assert(e->id == id); // UNKNOWN (what a thread has written to an element that is its own)
    }
    return 0;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, 0, writer, (void *)1L);
    pthread_create(&b, 0, writer, (void *)2L);
    pthread_create(&c, 0, writer, (void *)3L);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
    for (unsigned k = 0; k < used; k++)
        assert(log_[k].length < 5); // SAFE
    return 0;
}
