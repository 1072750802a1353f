// Two workers say by flags what they have stored; whoever sees a flag finds the value that belongs to it.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int width_known, height_known, width, height;

static void *measure_width(void *unused) {
    pthread_mutex_lock(&lock);
    width = 640;
    width_known = 1;
    pthread_mutex_unlock(&lock);
    return 0;
}

static void *measure_height(void *unused) {
    pthread_mutex_lock(&lock);
    height = 480;
    height_known = 1;
    pthread_mutex_unlock(&lock);
    return 0;
}

static void *paint(void *unused) {
    pthread_mutex_lock(&lock);
    if (width_known && height_known) {
        assert(width == 640 && height == 480); // SAFE
        assert(width * height == 307200); // SAFE
    } else if (width_known) {
        assert(width == 640); // SAFE
    } else if (height_known) {
        assert(width == 0); // SAFE
    }
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t t[3];
    pthread_create(&t[0], 0, measure_width, 0);
    pthread_create(&t[1], 0, measure_height, 0);
    pthread_create(&t[2], 0, paint, 0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    assert(width_known + height_known == 2); // SAFE
    return 0;
}
