// Settings are read when they are asked for first: a flag that is tested without the lock and again with it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct settings { int width, height; };
static struct settings settings;
static atomic_int is_ready;
static int reads;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static const struct settings *get_settings(void) {
    if (!atomic_load(&is_ready)) {
        pthread_mutex_lock(&lock);
        if (!atomic_load(&is_ready)) {
            assert(reads == 0); // SAFE
            settings.width = 640;
            settings.height = 480;
            reads++;
            atomic_store(&is_ready, 1);
        }
        pthread_mutex_unlock(&lock);
    }
    return &settings;
}

static void *client(void *unused) {
    __goblint_check(reads == 0); // UNSAFE!
    const struct settings *s = get_settings();
    assert(s->width == 640); // SAFE
    assert(s->width > s->height); // SAFE
    assert(reads == 1); // SAFE
    return 0;
}

int main(void) {
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], 0, client, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    assert(reads == 1); // SAFE
    return 0;
}
