// As pixels.c, but the width of the image may be changed while workers run.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t progress = PTHREAD_MUTEX_INITIALIZER;
static int width = 64, done_pixels, done_rows;

static void *resize(void *unused) {
    pthread_mutex_lock(&progress);
    width = 128;
    pthread_mutex_unlock(&progress);
    return 0;
}

static void *worker(void *unused) {
    for (int i = 0; i < 3; i++) {
        pthread_mutex_lock(&progress);
        done_rows++;
        done_pixels += width;
        assert(done_pixels >= 64 * done_rows); // SAFE
        assert(done_pixels == 64 * done_rows); // UNSAFE!
        pthread_mutex_unlock(&progress);
    }
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, resize, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
