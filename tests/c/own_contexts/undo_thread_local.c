// Two editors, each with a history of its own that a thread-local pointer leads to; the documents are everybody's.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

typedef struct {
    unsigned done, undone;
} History;

static _Thread_local History *history;
static int document;

static void begin(void) {
    history = calloc(1, sizeof *history);
    if (!history)
        exit(1);
}

static void edit(int by) {
    document += by;
    history->done++;
    assert(history->done > history->undone); // SAFE
}

static void undo(int by) {
    document -= by;
    history->undone++;
    assert(history->undone <= history->done); // SAFE
}

static void *writer(void *unused) {
    begin();
    edit(3);
    edit(4);
    undo(4);
    assert(history->done == 2 && history->undone == 1); // SAFE
    __goblint_check(document >= 3); // UNSAFE!
    free(history);
    return unused;
}

static void *reviewer(void *unused) {
    begin();
    edit(-1);
    undo(-1);
    assert(history->done == history->undone); // SAFE
    free(history);
    history = NULL;
    return unused;
}

int main(void) {
    pthread_t w, r;
    pthread_create(&w, 0, writer, 0);
    pthread_create(&r, 0, reviewer, 0);
    pthread_join(w, 0);
    pthread_join(r, 0);
    assert(history == NULL); // SAFE
    return 0;
}
