// A configuration that is made under a lock by whoever needs it first; the others read its members.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct settings {
    int width, height, area;
};

static struct settings *settings;
static int made;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct settings *get(void)
{
    pthread_mutex_lock(&lock);
    if (!settings) {
        struct settings *new = malloc(sizeof *new);
        if (!new)
            abort();
        new->width = 40;
        new->height = 25;
        new->area = new->width * new->height;
        assert(made == 0);                                  // SAFE
        made++;
        settings = new;
    }
    pthread_mutex_unlock(&lock);
    return settings;
}

static void *use(void *unused)
{
    struct settings *own = get();

    assert(own->width == 40);                               // SAFE
    assert(own->area == 1000);                              // SAFE
    assert(own->area == own->width * own->height);          // SAFE
    assert(own == settings);                                // SAFE
    return unused;
}

int main(void)
{
    pthread_t threads[3];

    for (int t = 0; t < 3; t++)
        pthread_create(&threads[t], 0, use, 0);
    for (int t = 0; t < 3; t++)
        pthread_join(threads[t], 0);
    assert(made == 1);                                      // SAFE
    return 0;
}
