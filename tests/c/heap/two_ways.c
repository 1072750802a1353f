// One function allocates for two callers: two objects.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct account {
    pthread_mutex_t mutex;
    int balance;
};

static struct account *account_new(int balance)
{
    struct account *account = calloc(1, sizeof(struct account));

    if (account == NULL)
        abort();
    account->balance = balance;
    return account;
}

struct account *savings, *current;

void *owner(void *unused)
{
    pthread_mutex_lock(&savings->mutex);
    savings->balance = 5;
    assert(savings->balance == 5); // SAFE
    savings->balance = 1;
    pthread_mutex_unlock(&savings->mutex);
    return unused;
}

int main(void)
{
    pthread_t id;

    savings = account_new(1);
    current = account_new(2);
    pthread_create(&id, NULL, owner, NULL);
    current->balance = current->balance + 1;
    assert(current->balance == 3); // SAFE
    pthread_mutex_lock(&savings->mutex);
    assert(savings->balance == 1); // SAFE
    pthread_mutex_unlock(&savings->mutex);
    assert(savings->balance == 1); // UNSAFE!
    return 0;
}
