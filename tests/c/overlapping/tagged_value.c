// A tagged value: its kind says which member of the union is there, and both are changed in one section.
#include <assert.h>
#include <pthread.h>

enum kind { NUMBER, FLAG };
static struct value {
    enum kind kind;
    union {
        int number;
        unsigned char flag;
    } as;
} value = {NUMBER, {5}};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *set_number(void *unused) {
    pthread_mutex_lock(&lock);
    value.kind = NUMBER;
    value.as.number = 600;
    pthread_mutex_unlock(&lock);
    return 0;
}

static void *set_flag(void *unused) {
    pthread_mutex_lock(&lock);
    value.as.number = 0;
    value.as.flag = 1;
    value.kind = FLAG;
    assert(value.as.number == 1); // SAFE
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, set_number, 0);
    pthread_create(&b, 0, set_flag, 0);
    pthread_mutex_lock(&lock);
    if (value.kind == NUMBER)
        assert(value.as.number == 5 || value.as.number == 600); // SAFE
    else
        assert(value.as.flag == 1); // SAFE
    pthread_mutex_unlock(&lock);
    return 0;
}
