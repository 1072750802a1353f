// ARGS: --properties assertion,data-race,null-dereference
// Two stages hand messages on through mailboxes of one place.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct message { int number; int twice; };
struct box { pthread_mutex_t m; pthread_cond_t c; struct message *full; };
static struct box first = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0};
static struct box second = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0};

static void put(struct box *b, struct message *x) {
    pthread_mutex_lock(&b->m);
    while (b->full)
        pthread_cond_wait(&b->c, &b->m);
    b->full = x;
    pthread_cond_broadcast(&b->c);
    pthread_mutex_unlock(&b->m);
}

static struct message *get(struct box *b) {
    pthread_mutex_lock(&b->m);
    while (!b->full)
        pthread_cond_wait(&b->c, &b->m);
    struct message *x = b->full;
    b->full = 0;
    pthread_cond_broadcast(&b->c);
    pthread_mutex_unlock(&b->m);
    return x;
}

static void *doubler(void *unused) {
    for (int i = 0; i < 4; i++) {
        struct message *x = get(&first);
        assert(x->number >= 0); // SAFE
        x->twice = 2 * x->number; // UNKNOWN (objects that are handed on through a mailbox)
        put(&second, x);
    }
    return 0;
}

static void *sink(void *unused) {
    for (int i = 0; i < 4; i++) {
        struct message *x = get(&second);
        assert(x->twice == 2 * x->number); // UNKNOWN (objects that are handed on through a mailbox)
        free(x);
    }
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, doubler, 0);
    pthread_create(&b, 0, sink, 0);
    for (int i = 0; i < 4; i++) {
        struct message *x = malloc(sizeof *x);
        if (!x)
            exit(1);
        x->number = i;
        x->twice = 0;
        put(&first, x);
    }
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
