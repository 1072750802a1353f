// Functions that give one of several structures: what each member is, and where its pointers lead.
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

struct part { int *first; int count; };
static int left[2], right[3], others = 7;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static struct part of_side(int is_left) {
    struct part half = {left, 2}, rest = {right, 3};
    if (is_left) return half;
    return rest;
}

static struct part limited(struct part given, int most) {
    if (given.count <= most) return given;
    struct part fewer = {given.first, most};
    return fewer;
}

static struct part nested(int depth) {
    struct part here = {&others, depth};
    if (depth == 0) return here;
    struct part below = nested(depth - 1);
    if (below.count > 5) return below;
    return here;
}

void *worker(void *unused) {
    struct part p = limited(of_side(__VERIFIER_nondet_int()), 2);
    assert(p.count <= 2); // SAFE
    pthread_mutex_lock(&m);
    p.first[1] = p.count;
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, worker, 0);
    struct part p = of_side(__VERIFIER_nondet_int()), q = of_side(__VERIFIER_nondet_int());
    assert(p.count == 2 || p.count == 3); // SAFE
    pthread_join(a, 0);
    assert(right[1] <= 2); // SAFE
    if (__VERIFIER_nondet_int()) assert(right[1] == 0); // UNSAFE!
    if (__VERIFIER_nondet_int()) assert(p.count == q.count); // UNSAFE!
    if (__VERIFIER_nondet_int()) assert(p.first == left); // UNSAFE!
    assert(others == 7); // SAFE
    assert(of_side(1).count + of_side(0).count == 5); // SAFE
    if (__VERIFIER_nondet_int()) assert(of_side(1).count == of_side(0).count); // UNSAFE!
    struct part inner = nested(__VERIFIER_nondet_int() ? 2 : 3);
    assert(inner.first == &others); // UNKNOWN (what a call of itself gives is one of several)
    if (__VERIFIER_nondet_int()) assert(inner.count < 3); // UNSAFE!
    *inner.first = 8;
    if (__VERIFIER_nondet_int()) assert(others == 7); // UNSAFE!
    return 0;
}
