// A logger that whoever needs it first makes, by way of pthread_once; many calls lead there.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
struct logger { int level, lines; pthread_mutex_t lock; };
static struct logger *instance;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static void create(void) {
    struct logger *made = calloc(1, sizeof *made);
    if (!made)
        abort();
    pthread_mutex_init(&made->lock, NULL);
    made->level = 2;
    instance = made;
}
static struct logger *get(void) {
    pthread_once(&once, create);
    assert(instance != NULL); // SAFE
    return instance;
}
static void say(int level) {
    struct logger *to = get();
    if (level > to->level)
        return;
    pthread_mutex_lock(&to->lock);
    to->lines++;
    assert(to->lines >= 1); // SAFE
    pthread_mutex_unlock(&to->lock);
}
static void *run(void *unused) {
    say(1);
    say(3);
    say(2);
    assert(get()->level == 2); // SAFE
    return NULL;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, run, NULL);
    pthread_create(&b, NULL, run, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(instance->lines == 4); // SAFE
    return 0;
}
