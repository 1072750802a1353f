// What each thread keeps by a key is its own, also in the functions that it calls.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
struct job { int id; int done; };
static pthread_key_t key;
static int a_done;
static void work(int n) {
    struct job *j = pthread_getspecific(key);
    if (!j) return;
    j->id += n;
    assert(j->id == 3 + n || j->id == 4 + n); // SAFE
}
static void *a(void *p) {
    assert(pthread_getspecific(key) == 0); // SAFE
    struct job mine = { 3, 0 };
    if (pthread_setspecific(key, &mine)) return 0;
    work(2);
    struct job *j = pthread_getspecific(key);
    assert(j == &mine); // SAFE
    assert(mine.id == 5); // SAFE
    assert(j->done == 0); // SAFE
    return 0;
}
static void *b(void *p) {
    struct job mine = { 4, 1 };
    if (pthread_setspecific(key, &mine)) return 0;
    work(1);
    __goblint_check(mine.id == 4); // UNSAFE!
    struct job *j = pthread_getspecific(key);
    assert(j->done == 1); // SAFE
    return 0;
}
int main(void) {
    pthread_t s, t;
    if (pthread_key_create(&key, 0)) return 1;
    pthread_create(&s, 0, a, 0);
    pthread_create(&t, 0, b, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    assert(pthread_getspecific(key) == 0); // SAFE
    return 0;
}
