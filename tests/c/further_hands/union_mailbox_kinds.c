// Messages of three kinds in a mailbox of one place; the members of the union belong to the kind.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

enum kind { EMPTY, KEY, MOVE, QUIT };

struct message {
    enum kind kind;
    union {
        struct { uint8_t code, modifiers; } key;
        struct { int16_t dx, dy; } move;
        uint32_t raw;
    } u;
};

static struct message box;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int handled;

static void send(struct message msg) {
    pthread_mutex_lock(&m);
    while (box.kind != EMPTY)
        pthread_cond_wait(&c, &m);
    box = msg;
    assert(box.kind != EMPTY); // SAFE
    pthread_cond_broadcast(&c);
    pthread_mutex_unlock(&m);
}

static void *keyboard(void *arg) {
    for (int i = 0; i < 3; i++) {
        struct message k = {.kind = KEY};
        k.u.raw = 0;
        k.u.key.code = 65 + i;
        assert(k.u.raw == 65u + i); // SAFE
        send(k);
    }
    return arg;
}

static void *mouse(void *arg) {
    for (int i = 0; i < 3; i++) {
        struct message v = {.kind = MOVE};
        v.u.move.dx = 2;
        v.u.move.dy = -2;
        send(v);
    }
    return arg;
}

static void *loop(void *arg) {
    for (;;) {
        pthread_mutex_lock(&m);
        while (box.kind == EMPTY)
            pthread_cond_wait(&c, &m);
        struct message got = box;
        box.kind = EMPTY;
        pthread_cond_broadcast(&c);
        pthread_mutex_unlock(&m);
        switch (got.kind) {
        case KEY:
            assert(got.u.key.code >= 65 && got.u.key.code <= 67); // SAFE
            assert(got.u.key.modifiers == 0); // SAFE
            assert(got.u.key.code == 65); // UNSAFE!
            break;
        case MOVE:
            assert(got.u.move.dx + got.u.move.dy == 0); // SAFE
            break;
        case QUIT:
            return arg;
        default:
            assert(0); // UNREACHABLE
        }
        handled++;
    }
}

int main(void) {
    pthread_t k, v, l;
    pthread_create(&l, 0, loop, 0);
    pthread_create(&k, 0, keyboard, 0);
    pthread_create(&v, 0, mouse, 0);
    pthread_join(k, 0);
    pthread_join(v, 0);
    send((struct message){.kind = QUIT});
    pthread_join(l, 0);
    assert(handled == 6); // UNKNOWN (what is taken from a box was put in)
    return 0;
}
