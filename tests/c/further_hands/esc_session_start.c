// A session is prepared by one thread alone, then given to a helper, and taken back after the helper has ended.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct session {
    pthread_mutex_t lock;
    int requests, errors, limit;
};

static void *helper(void *arg) {
    struct session *s = arg;
    for (int i = 0; i < 5; i++) {
        pthread_mutex_lock(&s->lock);
        if (s->requests < s->limit)
            s->requests++;
        else
            s->errors++;
        assert(s->requests <= s->limit); // SAFE
        assert(s->errors <= 10); // SAFE
        pthread_mutex_unlock(&s->lock);
    }
    return NULL;
}

static int serve(int limit) {
    struct session *s = malloc(sizeof *s);
    pthread_t a, b;
    if (s == NULL)
        return -1;
    pthread_mutex_init(&s->lock, NULL);
    s->requests = 0;
    s->errors = 0;
    s->limit = limit;
    assert(s->requests + s->errors == 0); // SAFE
    pthread_create(&a, NULL, helper, s);
    pthread_create(&b, NULL, helper, s);
    pthread_mutex_lock(&s->lock);
    assert(s->requests <= limit); // SAFE
    pthread_mutex_unlock(&s->lock);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(s->requests + s->errors == 10); // SAFE
    assert(s->limit == limit); // SAFE
    s->limit = 0;
    int n = s->requests;
    s->requests = 0;
    assert(s->requests == 0 && n <= limit); // SAFE
    pthread_mutex_destroy(&s->lock);
    free(s);
    return n;
}

int main(void) {
    int n = serve(7);
    assert(n <= 7); // SAFE
    assert(n == -1 || n == 7); // SAFE
    n = serve(3);
    assert(n <= 3); // SAFE
    assert(n == 7); // UNSAFE!
    return 0;
}
