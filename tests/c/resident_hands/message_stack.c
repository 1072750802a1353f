// ARGS: --properties assertion
// A stack of messages with its height beside it. All of it is under one lock: the height is that of the list between
// any two sections, so the list is empty exactly where the height is 0.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#define HIGHEST 4
#define WRITERS 2
#define MESSAGES 3

struct message {
    struct message *below;
    int sender;
};

static struct message *top;
static int height;
static int refused, taken;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int put(int sender) {
    struct message *m = malloc(sizeof *m);
    if (!m)
        return -1;
    m->sender = sender;
    pthread_mutex_lock(&lock);
    assert(height >= 0 && height <= HIGHEST); // SAFE
    if (height == HIGHEST) {
        assert(top != NULL); // SAFE
        refused++;
        pthread_mutex_unlock(&lock);
        free(m);
        return -1;
    }
    if (height == 0)
        assert(top == NULL); // SAFE
    m->below = top;
    top = m;
    height++;
    assert(top != NULL && height > 0); // SAFE
    pthread_mutex_unlock(&lock);
    return 0;
}

static struct message *take(void) {
    pthread_mutex_lock(&lock);
    struct message *m = top;
    if (m) {
        assert(height > 0); // SAFE
        top = m->below;
        height--;
        taken++;
        if (top)
            assert(height >= 1); // SAFE
        else
            assert(height == 0); // SAFE
    } else {
        assert(height == 0); // SAFE
    }
    assert((top == NULL) == (height == 0)); // SAFE
    pthread_mutex_unlock(&lock);
    return m;
}

static void *writer(void *arg) {
    int id = (int)(long)arg;
    for (int i = 0; i < MESSAGES; i++)
        put(id);
    return NULL;
}

static void *reader(void *arg) {
    for (int i = 0; i < MESSAGES; i++) {
        struct message *m = take();
        if (m) {
            assert(m->sender >= 1 && m->sender <= WRITERS); // SAFE
            free(m);
        }
    }
    return arg;
}

int main(void) {
    pthread_t w[WRITERS], r;
    for (long i = 0; i < WRITERS; i++)
        pthread_create(&w[i], NULL, writer, (void *)(i + 1));
    pthread_create(&r, NULL, reader, NULL);
    for (int i = 0; i < WRITERS; i++)
        pthread_join(w[i], NULL);
    pthread_join(r, NULL);
    assert(taken <= MESSAGES); // SAFE
    assert(height <= HIGHEST); // SAFE
    assert(height <= HIGHEST - 1); // UNSAFE!
    while (top) {
        struct message *m = top;
        assert(height > 0); // SAFE
        top = m->below;
        height--;
        free(m);
    }
    assert(height == 0); // SAFE
    return 0;
}
