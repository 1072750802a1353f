// A document with a reference count: whoever puts the last reference frees it.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct document {
    pthread_mutex_t lock;
    int references, edits, length;
    char text[16];
};

static struct document *new_document(void) {
    struct document *doc = calloc(1, sizeof *doc);
    if (doc == NULL)
        abort();
    pthread_mutex_init(&doc->lock, NULL);
    doc->references = 1;
    return doc;
}

static struct document *get(struct document *doc) {
    pthread_mutex_lock(&doc->lock);
    assert(doc->references >= 1); // UNKNOWN (who has a reference)
    doc->references++;
    pthread_mutex_unlock(&doc->lock);
    return doc;
}

static void put(struct document *doc) {
    pthread_mutex_lock(&doc->lock);
    int left = --doc->references;
    assert(left >= 0); // UNKNOWN (who has a reference)
    pthread_mutex_unlock(&doc->lock);
    if (left == 0) {
        pthread_mutex_destroy(&doc->lock);
        free(doc);
    }
}

static void append(struct document *doc, char c) {
    pthread_mutex_lock(&doc->lock);
    if (doc->length < (int)sizeof doc->text - 1) {
        doc->text[doc->length] = c;
        doc->length++;
    }
    if (doc->edits < 100)
        doc->edits++;
    assert(doc->length >= 0); // SAFE
    assert(doc->length <= 15); // UNKNOWN (who has a reference)
    assert(doc->edits >= 1); // SAFE
    assert(doc->edits <= 100); // UNKNOWN (who has a reference)
    pthread_mutex_unlock(&doc->lock);
}

static void *editor(void *arg) {
    struct document *doc = arg;
    for (int i = 0; i < 3; i++)
        append(doc, 'a' + i);
    put(doc);
    return NULL;
}

int main(void) {
    pthread_t editors[2];
    struct document *doc = new_document();
    for (int i = 0; i < 2; i++)
        pthread_create(&editors[i], NULL, editor, get(doc));
    append(doc, '.');
    pthread_mutex_lock(&doc->lock);
    __goblint_check(doc->edits == 1); // UNSAFE!
    pthread_mutex_unlock(&doc->lock);
    for (int i = 0; i < 2; i++)
        pthread_join(editors[i], NULL);
    assert(doc->references == 1); // UNKNOWN (who has a reference)
    assert(doc->edits == 7); // UNKNOWN (who has a reference)
    put(doc);
    return 0;
}
