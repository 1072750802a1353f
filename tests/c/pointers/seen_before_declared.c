// Main follows a pointer to what only the thread, which is read later, has: a local variable and a string.
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);

int shared;
int *pointer = &shared;
const char *text = "x";
pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;

void *thread(void *unused)
{
    int local = 7;

    pointer = &local;
    text = "abc";
    pthread_mutex_lock(&gate);
    pthread_mutex_unlock(&gate);
    return unused;
}

int main(void)
{
    pthread_t id;

    pthread_mutex_lock(&gate);
    if (pthread_create(&id, 0, thread, 0) != 0)
        return 1;
    int value = *pointer;
    char first = text[0];
    pthread_mutex_unlock(&gate);
    if (__VERIFIER_nondet_int())
        assert(value == 0); // UNSAFE!
    assert(first == 'x'); // UNSAFE!
    return 0;
}
