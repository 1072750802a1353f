// Settings are read at the start, and again when asked for; a status says whether they are there.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct settings {
    int level;
};

static struct settings first, second;
static struct settings *current;
static int failures;

static int parse(struct settings *s) {
    int found = rand();
    s->level = found % 2;
    return found & 4 ? found : 0;
}

static int reload(struct settings *next) {
    int failed = parse(next);
    if (failed == 0)
        current = next;
    if (failed)
        failures++;
    else
        printf("these settings are taken\n");
    return failed;
}

static void *worker(void *unused) {
    assert(current != NULL); // SAFE
    return unused;
}

int main(void) {
    if (reload(&first) != 0)
        exit(1);
    assert(current == &first); // SAFE
    for (int i = 0; i < 3; i++) {
        pthread_t t;
        if (pthread_create(&t, NULL, worker, NULL) != 0)
            return 1;
        int failed = reload(&second);
        pthread_join(t, NULL);
        if (!failed)
            assert(current == &second); // SAFE
    }
    assert(failures <= 3); // SAFE
    assert(current == &first); // UNSAFE!
    return 0;
}
