// Each thread has an element of an array as its argument.
#include <assert.h>
#include <pthread.h>

struct argument {
    int number;
    int result;
};

static struct argument arguments[2];
static int shared;

void *worker(void *pointer)
{
    struct argument *argument = pointer;

    argument->result = argument->number + 10;
    assert(argument->number == 1 || argument->number == 2); // SAFE
    assert(argument->result == argument->number + 10); // SAFE
    shared = argument->number;
    return NULL;
}

int main(void)
{
    pthread_t first, second;

    arguments[0].number = 1;
    arguments[1].number = 2;
    pthread_create(&first, NULL, worker, &arguments[0]);
    pthread_create(&second, NULL, worker, &arguments[1]);
    assert(shared >= 0 && shared <= 2); // SAFE
    assert(arguments[0].result == 0); // UNSAFE!
    assert(arguments[0].number == 1); // SAFE
    return 0;
}
