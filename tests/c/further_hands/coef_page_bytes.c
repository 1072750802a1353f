// An allocator of pages in bytes: what is mapped is always whole pages, and no more than what was mapped is used.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#define PAGE 64
#define LIMIT 16

static pthread_mutex_t heap = PTHREAD_MUTEX_INITIALIZER;
static int pages;
static int mapped;
static int used;
static int slack;

static int extend(void) {
    if (pages == LIMIT)
        return -1;
    pages++;
    mapped += PAGE;
    slack += PAGE;
    return 0;
}

static int take(int bytes) {
    int given = 0;
    pthread_mutex_lock(&heap);
    if (slack >= bytes || extend() == 0) {
        if (slack >= bytes) {
            used += bytes;
            slack -= bytes;
            given = bytes;
        }
    }
    assert(mapped == PAGE * pages); // SAFE
    assert(used + slack == PAGE * pages); // SAFE
    assert(slack >= 0); // SAFE
    pthread_mutex_unlock(&heap);
    return given;
}

static void *mutator(void *arg) {
    int size = arg ? 24 : 40;
    int mine = 0;
    for (int i = 0; i < 5; i++)
        mine += take(size);
    assert(mine <= 5 * size); // SAFE
    pthread_mutex_lock(&heap);
    // The bytes this thread took are still in use.
    assert(used >= mine); // SAFE
    // A page is only added where less than what is asked for is left of the last one.
    assert(slack < PAGE); // SAFE
    assert(slack < 40); // UNSAFE!
    pthread_mutex_unlock(&heap);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, mutator, NULL);
    pthread_create(&b, NULL, mutator, &heap);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(used <= mapped); // SAFE
    assert(mapped <= PAGE * LIMIT); // SAFE
    return 0;
}
