// Any number of threads scan input, each with a lexer of its own behind a key, given back by free.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct lexer {
    int line;
    int nesting;
    int deepest;
};

static pthread_key_t lexer_key;
static int scanned;

static struct lexer *lexer(void) {
    struct lexer *l = pthread_getspecific(lexer_key);
    if (l == NULL) {
        l = malloc(sizeof(struct lexer));
        if (l == NULL)
            abort();
        l->line = 1;
        l->nesting = 0;
        l->deepest = 0;
        pthread_setspecific(lexer_key, l);
    }
    return l;
}

static void open_bracket(void) {
    struct lexer *l = lexer();
    if (++l->nesting > l->deepest)
        l->deepest = l->nesting;
    assert(l->nesting >= 1); // SAFE
    assert(l->deepest >= l->nesting); // SAFE
}

static void close_bracket(void) {
    struct lexer *l = lexer();
    assert(l->nesting > 0); // SAFE
    l->nesting--;
}

static void *scan(void *unused) {
    open_bracket();
    lexer()->line++;
    open_bracket();
    close_bracket();
    scanned++;
    close_bracket();
    assert(lexer()->nesting == 0); // SAFE
    assert(lexer()->line == 2); // SAFE
    __goblint_check(scanned == 1); // UNSAFE!
    return NULL;
}

int main(void) {
    if (pthread_key_create(&lexer_key, free) != 0)
        return 1;
    for (int i = 0; i < 2 || rand() % 2; i++) {
        pthread_t t;
        pthread_create(&t, NULL, scan, NULL);
    }
    return 0;
}
