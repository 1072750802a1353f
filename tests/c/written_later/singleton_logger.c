// A logger that is made when it is first asked for, under a lock, and handed out by pointer.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct logger { pthread_mutex_t lock; int lines, dropped, limit; };

static struct logger *instance;
static pthread_mutex_t making = PTHREAD_MUTEX_INITIALIZER;
static int made;

static struct logger *logger(void) {
    pthread_mutex_lock(&making);
    if (!instance) {
        struct logger *fresh = malloc(sizeof *fresh);
        if (!fresh)
            abort();
        pthread_mutex_init(&fresh->lock, 0);
        fresh->lines = 0;
        fresh->dropped = 0;
        fresh->limit = 3;
        assert(made == 0); // SAFE
        made++;
        instance = fresh;
    }
    struct logger *found = instance;
    pthread_mutex_unlock(&making);
    assert(found != 0); // SAFE
    return found;
}

static void log_line(struct logger *l) {
    pthread_mutex_lock(&l->lock);
    if (l->lines < l->limit)
        l->lines++;
    else
        l->dropped++;
    assert(l->limit == 3); // SAFE
    assert(l->lines <= l->limit); // SAFE
    assert(l->lines >= 1); // SAFE
    assert(l->dropped == 0 || l->lines == l->limit); // SAFE
    pthread_mutex_unlock(&l->lock);
}

static void *thread(void *unused) {
    for (int i = 0; i < 2; i++)
        log_line(logger());
    __goblint_check(logger()->dropped == 0); // UNSAFE!
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, thread, 0);
    pthread_create(&b, 0, thread, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(made == 1); // SAFE
    assert(logger()->lines == 3); // UNKNOWN (how often others call)
    assert(logger()->dropped == 1); // UNKNOWN (how often others call)
    free(instance);
    return 0;
}
