// Spans are made and listed; one that was taken from the list is made shorter, and put back before it is right again.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct span {
    int from, to, colour, shade;
    struct span *next;
};

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static struct span *list;

static void put(struct span *s) {
    pthread_mutex_lock(&m);
    s->next = list;
    list = s;
    pthread_mutex_unlock(&m);
}

static struct span *take(void) {
    pthread_mutex_lock(&m);
    struct span *s = list;
    if (s != NULL)
        list = s->next;
    pthread_mutex_unlock(&m);
    return s;
}

static void *maker(void *unused) {
    for (int i = 0; i < 20; i++) {
        struct span *s = malloc(sizeof *s);
        if (s == NULL)
            break;
        s->from = i;
        s->to = i + 3;
        s->colour = i % 5;
        s->shade = s->colour + 10;
        put(s);
    }
    return unused;
}

static void *cutter(void *unused) {
    struct span *s = take();
    if (s != NULL) {
        assert(s->shade == s->colour + 10); // SAFE
        s->from += 5;
        put(s);
    }
    return unused;
}

static void *reader(void *unused) {
    pthread_mutex_lock(&m);
    for (struct span *s = list; s != NULL; s = s->next) {
        assert(s->shade - s->colour == 10); // SAFE
        assert(s->colour < s->shade); // SAFE
        assert(s->from < s->to); // UNSAFE!
    }
    pthread_mutex_unlock(&m);
    return unused;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, 0, maker, 0);
    pthread_create(&b, 0, cutter, 0);
    pthread_create(&c, 0, reader, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
    return 0;
}
