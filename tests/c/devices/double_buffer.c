// ARGS: --properties assertion,array-bounds
// Double buffering: one half is shown while the other is drawn; the index flips atomically.
#include <pthread.h>
#include <assert.h>

static int frame[2][4];
static _Atomic int shown;

static void *painter(void *unused) {
    for (int n = 1; n <= 3; n++) {
        int hidden = 1 - shown;
        assert(hidden == 0 || hidden == 1); // SAFE
        for (int i = 0; i < 4; i++)
            frame[hidden][i] = n; // SAFE
        shown = hidden;
    }
    return 0;
}

static void *screen(void *unused) {
    for (int n = 0; n < 3; n++) {
        int half = shown;
        int first = frame[half][0]; // SAFE
        int last = frame[half][3]; // SAFE
        assert(first >= 0 && first <= 3); // SAFE
        assert(first == last); // UNSAFE!
    }
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, painter, 0);
    pthread_create(&b, 0, screen, 0);
    pthread_join(a, 0);
    assert(shown >= 0); // SAFE
    assert(shown <= 1); // SAFE
    return 0;
}
