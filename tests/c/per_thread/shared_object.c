// Each thread has a pointer of its own under the key, but all of them lead to one object.
#include <assert.h>
#include <pthread.h>

struct log { int lines; };
static pthread_key_t current_log;
static struct log common;

static void write_line(void) {
    struct log *l = pthread_getspecific(current_log);
    if (l)
        l->lines = l->lines + 1;
}

static void *job(void *unused) {
    if (pthread_setspecific(current_log, &common))
        return 0;
    int before = common.lines;
    write_line();
    assert(pthread_getspecific(current_log) == &common); // SAFE
    assert(common.lines == before + 1); // UNSAFE!
    return 0;
}

int main(void) {
    pthread_t a, b;
    if (pthread_key_create(&current_log, 0))
        return 1;
    pthread_create(&a, 0, job, 0);
    pthread_create(&b, 0, job, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(common.lines <= 2); // UNKNOWN (what is lost of two additions)
    return 0;
}
