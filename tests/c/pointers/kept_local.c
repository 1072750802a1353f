// The address of a local variable goes into a structure that another thread reaches.
#include <assert.h>
#include <pthread.h>

struct request {
    int *answer;
    int ready;
};

static struct request request;

void *server(void *unused)
{
    if (request.ready)
        *request.answer = 8;
    return unused;
}

int main(void)
{
    pthread_t id;
    int answer = 0, own = 0;

    request.answer = &answer;
    request.ready = 1;
    pthread_create(&id, NULL, server, NULL);
    assert(answer == 0 || answer == 8); // SAFE
    assert(own == 0); // SAFE
    assert(answer == 0); // UNSAFE!
    return 0;
}
