// Pixels of a picture: three bytes each, rows are filled by several workers.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define WIDTH 8
#define ROWS 6

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int rows_done, bytes_done, next_row;
static unsigned char image[ROWS * WIDTH * 3];

static void *render(void *arg) {
    for (;;) {
        pthread_mutex_lock(&m);
        if (next_row == ROWS) {
            pthread_mutex_unlock(&m);
            break;
        }
        int row = next_row++;
        assert(row >= 0 && row < ROWS); // SAFE
        pthread_mutex_unlock(&m);
        for (int x = 0; x < WIDTH; x++) {
            int at = 3 * (row * WIDTH + x);
            assert(at >= 0 && at + 2 < ROWS * WIDTH * 3); // SAFE
            image[at] = image[at + 1] = image[at + 2] = (unsigned char)(row + 1);
        }
        pthread_mutex_lock(&m);
        rows_done++;
        bytes_done += 3 * WIDTH;
        assert(bytes_done == 24 * rows_done); // SAFE
        assert(rows_done <= next_row); // SAFE
        pthread_mutex_unlock(&m);
    }
    return arg;
}

int main(void) {
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], 0, render, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    assert(next_row == ROWS); // SAFE
    assert(rows_done == ROWS); // SAFE
    assert(bytes_done == (int)sizeof image); // SAFE
    assert(image[0] == 1); // UNKNOWN (what an element is by its index)
    assert(image[0] == 0); // UNSAFE!
    return 0;
}
