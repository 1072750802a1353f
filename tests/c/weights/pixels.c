// Rows of an image are done by workers that take two at a time; a progress bar counts pixels, 64 in a row.
#include <assert.h>
#include <pthread.h>

#define HEIGHT 40
#define WIDTH 64
static pthread_mutex_t progress = PTHREAD_MUTEX_INITIALIZER;
static int next_row, done_pixels, done_rows;

static void *worker(void *unused) {
    while (1) {
        int row;
        pthread_mutex_lock(&progress);
        row = next_row;
        if (row < HEIGHT)
            next_row += 2;
        pthread_mutex_unlock(&progress);
        if (row >= HEIGHT)
            return 0;
        pthread_mutex_lock(&progress);
        done_rows += 2;
        done_pixels += 2 * WIDTH;
        assert(done_pixels == WIDTH * done_rows); // SAFE
        pthread_mutex_unlock(&progress);
    }
}

int main(void) {
    pthread_t pool[2];
    for (unsigned i = 0; i < 2; i++)
        pthread_create(&pool[i], 0, worker, 0);
    pthread_mutex_lock(&progress);
    int rows = done_rows, pixels = done_pixels, handed_out = next_row;
    pthread_mutex_unlock(&progress);
    assert(pixels == rows * WIDTH); // SAFE
    assert(handed_out <= HEIGHT); // SAFE
    for (unsigned i = 0; i < 2; i++)
        pthread_join(pool[i], 0);
    return 0;
}
