// Main follows a pointer to what only the thread, which is read later, has: a local variable and a string.
#include <assert.h>
#include <pthread.h>

int shared;
int *pointer = &shared;
const char *text = "x";

void *thread(void *unused)
{
    int local = 7;

    pointer = &local;
    text = "abc";
    while (1)
        ;
    return unused;
}

int main(void)
{
    pthread_t id;

    if (pthread_create(&id, 0, thread, 0) != 0)
        return 1;
    int value = *pointer;
    assert(value == 0); // UNSAFE!
    char first = text[0];
    assert(first == 'x'); // UNSAFE!
    return 0;
}
