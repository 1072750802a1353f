// Records are built by one thread, which breaks and mends them, before they are put into a list; then nobody changes them.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

struct record {
    struct record *next;
    int begin, end, length;
};

static struct record *list;
static pthread_mutex_t list_lock = PTHREAD_MUTEX_INITIALIZER;

static void *add(void *unused) {
    struct record *r = malloc(sizeof *r);
    if (!r)
        return 0;
    r->begin = 0;
    r->end = -1; // not in order yet
    r->length = 0;
    int n = __VERIFIER_nondet_int();
    r->end = n > 0 && n < 100 ? n : 1;
    r->length = r->end - r->begin;
    assert(r->length >= 1); // SAFE
    pthread_mutex_lock(&list_lock);
    r->next = list;
    list = r;
    pthread_mutex_unlock(&list_lock);
    return unused;
}

static void *walk(void *unused) {
    int total = 0;
    pthread_mutex_lock(&list_lock);
    for (struct record *r = list; r; r = r->next) {
        assert(r->end > r->begin); // UNKNOWN (members of the elements of a list)
        assert(r->length == r->end - r->begin); // UNKNOWN (members of the elements of a list)
        assert(r->length == 1); // UNSAFE!
        if (total < 1000)
            total += r->length;
    }
    pthread_mutex_unlock(&list_lock);
    assert(total >= 0); // SAFE
    return unused;
}

int main(void) {
    pthread_t t[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&t[i], 0, i < 2 ? add : walk, 0);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], 0);
    int count = 0;
    for (struct record *r = list; r; r = r->next)
        count++;
    assert(count <= 2); // UNKNOWN (the length of a list)
    return 0;
}
