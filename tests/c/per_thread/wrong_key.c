// Two keys, and the value is looked for under the wrong one.
#include <assert.h>
#include <pthread.h>

static pthread_key_t input, output;
static int in, out;

static void prepare(void) {
    pthread_setspecific(input, &in);
    pthread_setspecific(output, &out);
}

static void *filter(void *unused) {
    prepare();
    int *from = pthread_getspecific(output);
    __goblint_check(from == &in); // UNSAFE!
    from = pthread_getspecific(input);
    __goblint_check(from != &out); // SAFE
    return 0;
}

int main(void) {
    pthread_t t;
    if (pthread_key_create(&input, 0))
        return 1;
    if (pthread_key_create(&output, 0))
        return 1;
    assert(pthread_getspecific(input) == 0); // SAFE
    pthread_create(&t, 0, filter, 0);
    pthread_join(t, 0);
    assert(pthread_getspecific(output) == 0); // SAFE
    return 0;
}
