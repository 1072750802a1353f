// Parts go through two stages. Each stage takes a part and hands it on in one section; a part that is given back to the
// start is moved, too. All of them are somewhere: in the four counts.
#include <assert.h>
#include <pthread.h>

#define PARTS 12
extern int __VERIFIER_nondet_int(void);
static struct line {
    int waiting, milled, painted, rejected;
} line = {.waiting = PARTS};
static pthread_mutex_t belt = PTHREAD_MUTEX_INITIALIZER;

static void *mill(void *l) {
    struct line *at = l;
    while (__VERIFIER_nondet_int()) {
        pthread_mutex_lock(&belt);
        if (at->waiting > 0) {
            at->waiting--;
            at->milled++;
        }
        pthread_mutex_unlock(&belt);
    }
    return 0;
}

static void *paint(void *l) {
    struct line *at = l;
    while (__VERIFIER_nondet_int()) {
        pthread_mutex_lock(&belt);
        if (at->milled >= 2) {
            at->milled -= 2;
            at->painted += 1;
            at->rejected += 1;
        } else if (at->rejected > 0) {
            at->waiting += at->rejected;
            at->rejected = 0;
        }
        assert(at->waiting + at->milled + at->painted + at->rejected == PARTS); // SAFE
        assert(at->painted <= PARTS); // SAFE
        pthread_mutex_unlock(&belt);
    }
    return 0;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, mill, &line);
    pthread_create(&two, 0, paint, &line);
    pthread_join(one, 0);
    pthread_join(two, 0);
    assert(line.painted + line.waiting + line.milled + line.rejected == PARTS); // SAFE
    return 0;
}
