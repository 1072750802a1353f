// ARGS: --properties assertion,null-dereference,use-after-free
// A blob with a count of references: each thread gets one before it starts; the last one to put it frees it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct blob {
    atomic_int references;
    int length;
    char *bytes;
};
static atomic_int freed;

static struct blob *get(struct blob *blob) {
    int before = atomic_fetch_add(&blob->references, 1); // SAFE
    assert(before >= 1); // SAFE
    return blob;
}

static void put(struct blob *blob) {
    int before = atomic_fetch_sub(&blob->references, 1); // SAFE
    assert(before >= 1); // SAFE
    assert(before <= 3); // SAFE
    if (before == 1) {
        int times = atomic_fetch_add(&freed, 1);
        assert(times == 0); // SAFE
        free(blob->bytes); // SAFE
        free(blob); // SAFE
    }
}

static void *reader(void *argument) {
    struct blob *blob = argument;
    assert(blob->length == 4); // SAFE
    assert(blob->bytes != 0); // SAFE
    char first = blob->bytes[0]; // SAFE
    assert(first == 'a'); // SAFE
    assert(atomic_load(&freed) == 0); // SAFE
    put(blob);
    __goblint_check(atomic_load(&freed) == 0); // UNSAFE!
    return 0;
}

int main(void) {
    pthread_t a, b;
    struct blob *blob = malloc(sizeof *blob);
    if (!blob)
        return 1;
    atomic_init(&blob->references, 1);
    blob->length = 4;
    blob->bytes = calloc(4, 1); // SAFE
    if (!blob->bytes) {
        free(blob);
        return 1;
    }
    blob->bytes[0] = 'a'; // SAFE
    pthread_create(&a, 0, reader, get(blob));
    pthread_create(&b, 0, reader, get(blob));
    assert(atomic_load(&blob->references) >= 1); // SAFE
    int now = atomic_load(&blob->references); // SAFE
    __goblint_check(now == 3); // UNSAFE!
    put(blob);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(atomic_load(&freed) == 1); // UNKNOWN (that some thread gives back the last one)
    return 0;
}
