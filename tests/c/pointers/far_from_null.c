// An address may be made of null and a distance, whoever has set the pointer to null.
#include <assert.h>
#include <pthread.h>

struct base {
    char *start;
};

static struct base base;
static int number;

static void *write_there(void *arg)
{
    char *at = base.start + (unsigned long)&number;
    *(int *)at = 5;
    return arg;
}

static void *reset(void *arg)
{
    base.start = 0;
    return arg;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, 0, write_there, 0);
    pthread_create(&two, 0, reset, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    assert(number == 0); // UNSAFE!
    return 0;
}
