// Parts of a job are ready in any order; who finds both ready puts them together.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static bool left_ready, right_ready, joined;
static int left, right, whole;

static void put_together(void) {
    if (left_ready && right_ready && !joined) {
        whole = left + right;
        joined = true;
    }
}

static void *make_left(void *u) {
    pthread_mutex_lock(&m);
    assert(!left_ready && left == 0); // SAFE
    left = 4;
    left_ready = true;
    put_together();
    pthread_mutex_unlock(&m);
    return u;
}

static void *make_right(void *u) {
    pthread_mutex_lock(&m);
    right = 5;
    right_ready = true;
    put_together();
    assert(joined == left_ready); // SAFE
    pthread_mutex_unlock(&m);
    return u;
}

static void *watch(void *u) {
    pthread_mutex_lock(&m);
    if (joined) {
        assert(whole == 9); // SAFE
        assert(left_ready && right_ready); // SAFE
    } else {
        assert(whole == 0); // SAFE
        assert(!left_ready || !right_ready); // UNKNOWN (what follows from a flag and two others, but by cases backwards)
    }
    if (left_ready)
        assert(left == 4); // SAFE
    pthread_mutex_unlock(&m);
    return u;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, 0, make_left, 0);
    pthread_create(&b, 0, make_right, 0);
    pthread_create(&c, 0, watch, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
    assert(joined); // UNKNOWN (who comes last finds both flags)
    assert(whole == 9); // SAFE
    assert(whole == 4); // UNSAFE!
    return 0;
}
