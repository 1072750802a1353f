// ARGS: --properties assertion,use-after-free,null-dereference
// A buffer with a count of its users; the last one to let go frees it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct buffer {
    atomic_int users;
    int length;
    char bytes[16];
};

static atomic_int freed;

static void drop(struct buffer *b) {
    int before = atomic_fetch_sub(&b->users, 1); // SAFE
    assert(before >= 1); // SAFE
    if (before == 1) {
        assert(b->users == 0); // SAFE
        free(b);
        freed++;
    }
}

static void *reader(void *arg) {
    struct buffer *b = arg;
    int sum = 0;
    for (int i = 0; i < b->length; i++) // SAFE
        sum += b->bytes[i]; // SAFE
    assert(b->length == 5); // SAFE
    assert(b->users >= 1); // SAFE
    assert(b->users <= 4); // SAFE
    assert(freed == 0); // SAFE
    drop(b);
    return 0;
}

int main(void) {
    pthread_t t[3];
    struct buffer *b = malloc(sizeof *b);
    if (!b)
        return 1;
    atomic_init(&b->users, 1);
    b->length = 5;
    for (int i = 0; i < 16; i++)
        b->bytes[i] = 'a';
    for (int i = 0; i < 3; i++) {
        atomic_fetch_add(&b->users, 1);
        pthread_create(&t[i], 0, reader, b);
    }
    assert(b->length == 5); // SAFE
    drop(b);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    assert(freed == 1); // UNKNOWN (what is proved by cubes backwards alone)
    return 0;
}
