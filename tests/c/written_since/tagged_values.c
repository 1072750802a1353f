// A tagged union behind a lock.
#include <pthread.h>
#include <assert.h>
enum kind { NONE, NUM, PAIR };
struct value { enum kind k; union { int num; struct { short a, b; } pair; } u; };
static struct value v;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *nums(void *x) {
    for (int i = 0; i < 10; i++) {
        pthread_mutex_lock(&m);
        v.k = NUM; v.u.num = i;
        pthread_mutex_unlock(&m);
    }
    return x;
}
static void *pairs(void *x) {
    for (short i = 0; i < 10; i++) {
        pthread_mutex_lock(&m);
        v.k = PAIR; v.u.pair.a = i; v.u.pair.b = i + 1;
        pthread_mutex_unlock(&m);
    }
    return x;
}
static void *reader(void *x) {
    pthread_mutex_lock(&m);
    switch (v.k) {
    case NONE: assert(v.u.num == 0); break; // SAFE
    case NUM: assert(v.u.num >= 0 && v.u.num < 10); break; // SAFE
    case PAIR: assert(v.u.pair.b == v.u.pair.a + 1); break; // UNKNOWN (relations of members of unions)
    default: assert(0); // UNREACHABLE
    }
    pthread_mutex_unlock(&m);
    return x;
}
int main(void) {
    pthread_t t[3];
    pthread_create(&t[0], 0, nums, 0); pthread_create(&t[1], 0, pairs, 0); pthread_create(&t[2], 0, reader, 0);
    for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
    return 0;
}
