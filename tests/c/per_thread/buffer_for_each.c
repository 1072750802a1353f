// A buffer from the heap for each thread, made when the thread uses it first, and found again later.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_key_t buffers;

struct buffer { int length; int limit; };

static struct buffer *own_buffer(void) {
    struct buffer *b = pthread_getspecific(buffers);
    if (b == 0) {
        b = malloc(sizeof *b);
        if (b == 0)
            abort();
        b->length = 0;
        b->limit = 128;
        if (pthread_setspecific(buffers, b) != 0)
            abort();
    }
    return b;
}

static void append(int bytes) {
    struct buffer *b = own_buffer();
    if (b->length + bytes <= b->limit)
        b->length += bytes;
}

static void *printer(void *unused) {
    append(40);
    append(60);
    struct buffer *b = own_buffer();
    assert(b->limit == 128); // SAFE
    assert(b->length == 100); // SAFE
    append(60);
    assert(b->length <= 128); // SAFE
    return 0;
}

int main(void) {
    pthread_t a, b;
    if (pthread_key_create(&buffers, free))
        return 1;
    pthread_create(&a, 0, printer, 0);
    pthread_create(&b, 0, printer, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
