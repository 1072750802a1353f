// A frame of main's stack is lent to a helper and is main's own again once the helper was joined.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

typedef struct {
    int width, height;
    long area;
    bool ready;
} job;

static void *measure(void *p) {
    job *j = p;
    assert(j->width > 0 && j->height > 0); // SAFE
    assert(!j->ready); // SAFE
    j->area = (long)j->width * j->height;
    j->ready = true;
    assert(j->area == (long)j->width * j->height); // SAFE
    return p;
}

static long ask(int width, int height) {
    pthread_t helper;
    job j;
    j.width = -1;
    j.height = -1;
    j.area = 0;
    j.ready = true;
    assert(j.area == 0); // SAFE
    j.width = width;
    j.height = height;
    j.ready = false;
    if (pthread_create(&helper, 0, measure, &j))
        return -1;
    assert(!j.ready); // UNSAFE!
    assert(j.width == width); // SAFE
    pthread_join(helper, 0);
    assert(j.ready); // SAFE
    assert(j.area == (long)width * height); // SAFE
    j.width = 0; // ours again
    assert(j.width == 0 && j.height == height); // SAFE
    return j.area;
}

int main(void) {
    long first = ask(4, 5);
    assert(first == 20 || first == -1); // SAFE
    long second = ask(3, 3);
    assert(second == 9 || second < 0); // SAFE
    return 0;
}
