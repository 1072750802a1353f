// One message at a time is in the box; what its union holds is told by the tag.
#include <assert.h>
#include <pthread.h>

enum tag { EMPTY, NUMBER, PAIR };

struct message {
    enum tag tag;
    union {
        int number;
        struct { short left, right; } pair;
    } u;
};

static struct message box;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int delivered, taken;

static void *send_number(void *unused) {
    pthread_mutex_lock(&lock);
    if (box.tag == EMPTY && delivered < 100) {
        box.tag = NUMBER;
        box.u.number = 70000;
        delivered++;
    }
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *send_pair(void *unused) {
    pthread_mutex_lock(&lock);
    if (box.tag == EMPTY && delivered < 100) {
        box.u.pair.left = 2;
        box.u.pair.right = 5;
        box.tag = PAIR;
        delivered++;
    }
    assert(box.tag != EMPTY || delivered == 100); // SAFE
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *receive(void *unused) {
    struct message got;
    pthread_mutex_lock(&lock);
    got = box;
    if (got.tag != EMPTY)
        taken++;
    box.tag = EMPTY;
    assert(taken == delivered); // SAFE
    pthread_mutex_unlock(&lock);
    switch (got.tag) {
    case NUMBER:
        assert(got.u.number == 70000); // SAFE
        break;
    case PAIR:
        assert(got.u.pair.left < got.u.pair.right); // SAFE
        assert(got.u.pair.left + got.u.pair.right == 7); // SAFE
        break;
    case EMPTY:
        assert(got.u.number == 0); // UNSAFE!
        break;
    }
    return unused;
}

int main(void) {
    pthread_t t;
    for (;;) {
        pthread_create(&t, 0, send_number, 0);
        pthread_create(&t, 0, send_pair, 0);
        pthread_create(&t, 0, receive, 0);
    }
}
