// Configuration is reloaded under a lock as a whole; one reader copies it under the lock, one reads field by field.
#include <pthread.h>
#include <assert.h>

struct settings { int width, height, depth; };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct settings current = {640, 480, 8};

static void *reload(void *unused) {
    pthread_mutex_lock(&lock);
    current.width = 800;
    current.height = 600;
    current.depth = 16;
    assert(current.width == 800); // SAFE
    pthread_mutex_unlock(&lock);
    return 0;
}

static void *reader(void *unused) {
    struct settings mine;
    pthread_mutex_lock(&lock);
    mine = current;
    pthread_mutex_unlock(&lock);
    assert(mine.width >= 640 && mine.width <= 800); // SAFE
    assert(mine.depth == 8 || mine.depth == 16); // SAFE
    assert(mine.width != 640 || mine.height == 480); // SAFE (needs octagon)
    return 0;
}

static void *torn(void *unused) {
    int width = current.width;
    int height = current.height;
    assert(height >= 480); // SAFE
    assert(width != 640 || height == 480); // UNSAFE!
    return 0;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, 0, reload, 0);
    pthread_create(&b, 0, reader, 0);
    pthread_create(&c, 0, torn, 0);
    pthread_join(a, 0);
    assert(current.depth == 16); // SAFE (needs refinement)
    return 0;
}
