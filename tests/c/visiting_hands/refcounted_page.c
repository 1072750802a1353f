// ARGS: --properties assertion
// Pages with a count of references: who gives back the last one frees it, and the table forgets it before.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct page {
    int refs;
    int dirty;
    pthread_mutex_t lock;
};

static struct page *current;
static int allocated, freed;
static pthread_mutex_t table = PTHREAD_MUTEX_INITIALIZER;

static struct page *page_new(void) {
    struct page *p = malloc(sizeof *p);
    if (!p)
        abort();
    p->refs = 1;
    p->dirty = 0;
    pthread_mutex_init(&p->lock, 0);
    allocated++;
    return p;
}

static struct page *page_get(void) {
    pthread_mutex_lock(&table);
    struct page *p = current;
    if (p) {
        assert(p->refs >= 1); // SAFE
        p->refs++;
        assert(p->refs >= 2); // SAFE
    }
    pthread_mutex_unlock(&table);
    return p;
}

static void page_put(struct page *p) {
    int last;
    pthread_mutex_lock(&table);
    assert(p->refs > 0); // SAFE
    p->refs--;
    last = p->refs == 0;
    if (last) {
        assert(p != current); // SAFE
        freed++;
    }
    assert(freed <= allocated); // UNKNOWN (what is proved by cubes backwards alone)
    pthread_mutex_unlock(&table);
    if (last)
        free(p);
}

static void *user(void *arg) {
    for (int i = 0; i < 5; i++) {
        struct page *p = page_get();
        if (!p)
            continue;
        pthread_mutex_lock(&p->lock);
        p->dirty = 1;
        pthread_mutex_unlock(&p->lock);
        page_put(p);
    }
    return arg;
}

int main(void) {
    pthread_t t[2];
    current = page_new();
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, user, 0);
    pthread_mutex_lock(&table);
    struct page *mine = current;
    assert(mine != 0); // SAFE
    current = NULL;
    pthread_mutex_unlock(&table);
    page_put(mine);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    assert(allocated == 1); // SAFE
    assert(freed == 1); // UNKNOWN (who gives back the last reference)
    assert(current == NULL); // SAFE
    assert(freed == 0); // UNSAFE!
    return 0;
}
