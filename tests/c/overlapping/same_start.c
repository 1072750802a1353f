// Structures of a union with the same members at their start: either may be used for these.
#include <assert.h>
#include <pthread.h>

union event {
    struct { int type; } any;
    struct { int type; int key; } press;
    struct { int type; int x, y; } move;
};
static union event last;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *keyboard(void *unused) {
    pthread_mutex_lock(&lock);
    last.press.type = 1;
    last.press.key = 65;
    assert(last.any.type == 1); // SAFE
    assert(last.move.x == 65); // SAFE
    pthread_mutex_unlock(&lock);
    return 0;
}

static void *mouse(void *unused) {
    pthread_mutex_lock(&lock);
    last.move.type = 2;
    last.move.x = 300;
    last.move.y = 200;
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, keyboard, 0);
    pthread_create(&b, 0, mouse, 0);
    pthread_mutex_lock(&lock);
    union event now = last;
    pthread_mutex_unlock(&lock);
    if (now.any.type == 1)
        assert(now.press.key == 65); // SAFE
    if (now.any.type == 2)
        assert(now.move.x == 300 && now.move.y == 200); // SAFE
    assert(now.any.type >= 0 && now.any.type <= 2); // SAFE
    return 0;
}
