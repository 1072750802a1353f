// As threads of a server keep their sessions; but a monitor finds each session in a table, and resets what is in it.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct session { int requests; int errors; };

static pthread_key_t key;
static struct session *seen;

static struct session *session(void) {
    struct session *s = pthread_getspecific(key);
    if (!s) {
        s = calloc(1, sizeof *s);
        if (!s)
            abort();
        pthread_setspecific(key, s);
    }
    return s;
}

static void *serve(void *unused) {
    session()->requests++;
    assert(session()->requests == 1); // UNKNOWN (members of what a thread publishes later)
    seen = session();
    session()->requests++;
    __goblint_check(session()->requests >= 1); // UNSAFE!
    assert(session()->errors == 0); // SAFE
    return unused;
}

static void *monitor(void *unused) {
    if (seen)
        seen->requests = 0;
    return unused;
}

int main(void) {
    pthread_t a, b, c;
    pthread_key_create(&key, NULL);
    pthread_create(&a, NULL, serve, NULL);
    pthread_create(&b, NULL, serve, NULL);
    pthread_create(&c, NULL, monitor, NULL);
    return 0;
}
