// Three flags of stages that follow each other; what each adds is there if its flag is.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static bool parsed, checked, emitted;
static int nodes, warnings, code;

static void *parse(void *arg) {
    int n = 0;
    for (int i = 0; i < 25; i++)
        n += 2;
    pthread_mutex_lock(&m);
    nodes = n;
    parsed = true;
    pthread_mutex_unlock(&m);
    return arg;
}

static void *check(void *arg) {
    pthread_mutex_lock(&m);
    if (parsed) {
        assert(nodes == 50); // SAFE
        warnings = nodes / 10;
        checked = true;
    }
    pthread_mutex_unlock(&m);
    return arg;
}

static void *emit(void *arg) {
    pthread_mutex_lock(&m);
    if (checked && !emitted) {
        assert(parsed); // SAFE
        code = nodes * 4 + warnings;
        emitted = true;
    }
    assert(!emitted || checked); // SAFE
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void) {
    pthread_t p, c, e;
    pthread_create(&p, 0, parse, 0);
    pthread_create(&c, 0, check, 0);
    pthread_create(&e, 0, emit, 0);
    pthread_join(p, 0);
    pthread_join(c, 0);
    pthread_join(e, 0);
    assert(parsed); // SAFE
    int stages = parsed + checked + emitted;
    assert(stages >= 1 && stages <= 3); // SAFE
    switch (stages) {
    case 1: assert(code == 0 && warnings == 0); break; // SAFE
    case 2: assert(warnings == 5 && code == 0); break; // SAFE
    case 3: assert(code == 205); break; // SAFE
    }
    return 0;
}
