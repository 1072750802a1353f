// As tagged_value.c, but the kind is set in a section of its own: in between it does not fit what is there.
#include <assert.h>
#include <pthread.h>

enum kind { NUMBER, FLAG };
static struct { enum kind kind; union { int number; unsigned char flag; } as; } value = {NUMBER, {600}};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *set_flag(void *unused) {
    pthread_mutex_lock(&lock);
    value.as.flag = 1;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    value.kind = FLAG;
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, set_flag, 0);
    pthread_mutex_lock(&lock);
    if (value.kind == FLAG)
        __goblint_check(value.as.flag == 1); // SAFE
    else
        __goblint_check(value.as.number == 600); // UNSAFE!
    __goblint_check(value.as.number == 600 || value.as.number == 513); // SAFE
    pthread_mutex_unlock(&lock);
    return 0;
}
