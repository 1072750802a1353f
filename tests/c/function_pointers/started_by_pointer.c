// The function that a thread runs is chosen at run time.
#include <assert.h>
#include <pthread.h>

int written;
void *(*chosen)(void *);

void *writes_one(void *unused)
{
    written = 1;
    return unused;
}

void *writes_two(void *unused)
{
    written = 2;
    return unused;
}

void *writes_three(void *unused)
{
    written = 3;
    return unused;
}

int __VERIFIER_nondet_int(void);

int main(void)
{
    pthread_t id;

    chosen = writes_one;
    if (__VERIFIER_nondet_int())
        chosen = writes_two;
    pthread_create(&id, NULL, chosen, NULL);
    assert(written >= 0 && written <= 2); // SAFE
    assert(written != 2); // UNSAFE!
    return writes_three == chosen;
}
