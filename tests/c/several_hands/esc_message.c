// ARGS: --properties assertion,data-race,null-dereference
// A message is filled in before it is published, and never changed afterwards.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct msg { int kind; int len; int crc; };
static struct msg *published; // SAFE
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *publisher(void *arg) {
    struct msg *x = malloc(sizeof *x);
    if (!x)
        return 0;
    x->kind = 2;
    x->len = 10;
    assert(x->len == 10); // SAFE
    x->crc = x->kind + x->len;
    assert(x->crc == 12); // SAFE
    pthread_mutex_lock(&m);
    published = x;
    pthread_mutex_unlock(&m);
    return 0;
}

static void *subscriber(void *arg) {
    pthread_mutex_lock(&m);
    struct msg *x = published;
    pthread_mutex_unlock(&m);
    if (x) {
        assert(x->kind == 2); // SAFE
        assert(x->crc == x->kind + x->len); // SAFE
    }
    return 0;
}

int main(void) {
    pthread_t p, s[2];
    pthread_create(&p, 0, publisher, 0);
    for (int i = 0; i < 2; i++)
        pthread_create(&s[i], 0, subscriber, 0);
    pthread_join(p, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(s[i], 0);
    free(published);
    return 0;
}
