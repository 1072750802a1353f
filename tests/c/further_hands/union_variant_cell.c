// A cell that holds a number or a pair of small ones, with a tag, changed under a lock.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

enum kind { NONE, INT, PAIR };

static struct {
    enum kind kind;
    union {
        int32_t i;
        struct { int16_t a, b; } p;
    };
} cell;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *set_int(void *u) {
    pthread_mutex_lock(&lock);
    cell.kind = INT;
    cell.i = 1000;
    assert(cell.i == 1000); // SAFE
    pthread_mutex_unlock(&lock);
    return u;
}

static void *set_pair(void *u) {
    pthread_mutex_lock(&lock);
    cell.p.a = 3;
    cell.p.b = 4;
    cell.kind = PAIR;
    assert(cell.p.a + cell.p.b == 7); // SAFE
    pthread_mutex_unlock(&lock);
    return u;
}

static void *look(void *u) {
    pthread_mutex_lock(&lock);
    switch (cell.kind) {
    case INT:
        assert(cell.i == 1000); // SAFE
        break;
    case PAIR:
        assert(cell.p.a == 3 && cell.p.b == 4); // SAFE
        break;
    default:
        assert(cell.i == 0); // SAFE
    }
    pthread_mutex_unlock(&lock);
    return u;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, 0, set_int, 0);
    pthread_create(&b, 0, set_pair, 0);
    pthread_create(&c, 0, look, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
    assert(cell.kind == INT || cell.kind == PAIR); // SAFE
    assert(cell.kind == PAIR || cell.p.a == 1000); // SAFE
    assert(cell.kind == INT); // UNSAFE!
    return 0;
}
