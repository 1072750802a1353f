// ARGS: --properties assertion,data-race
// A tagged value: the tag says which member counts.
#include <assert.h>
#include <pthread.h>

enum tag { NONE, INT, PAIR };
struct value { enum tag tag; union { int i; struct { short a, b; } p; } u; };
static struct value shared;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void set_int(int n) {
    pthread_mutex_lock(&m);
    shared.tag = INT;
    shared.u.i = n;
    pthread_mutex_unlock(&m);
}
static void set_pair(short a) {
    pthread_mutex_lock(&m);
    shared.tag = PAIR;
    shared.u.p.a = a;
    shared.u.p.b = a;
    pthread_mutex_unlock(&m);
}

static void *ints(void *x) { for (int i = 100; i < 106; i++) set_int(i); return x; }
static void *pairs(void *x) { for (short i = 1; i < 5; i++) set_pair(i); return x; }
static void *reader(void *x) {
    pthread_mutex_lock(&m);
    switch (shared.tag) {
    case INT:
        assert(shared.u.i >= 100); // SAFE
        assert(shared.u.i < 106); // SAFE
        break;
    case PAIR:
        assert(shared.u.p.a == shared.u.p.b); // UNKNOWN (members that overlap)
        assert(shared.u.p.a > 0); // UNKNOWN (members that overlap)
        break;
    case NONE:
        assert(shared.u.i == 0); // SAFE
        break;
    }
    pthread_mutex_unlock(&m);
    return x;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&c, 0, reader, 0);
    pthread_create(&a, 0, ints, 0);
    pthread_create(&b, 0, pairs, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
    assert(shared.tag != NONE); // SAFE
    return 0;
}
