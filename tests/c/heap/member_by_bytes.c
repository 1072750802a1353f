// ARGS: --properties assertion,array-bounds,null-dereference
// A library function is given a member, and as many bytes as that has: it leaves the others alone.
#include <assert.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

struct state {
    int *owner;
    long done;
    int limit;
};

static void load(struct state *state)
{
    int zeros = open("/dev/zero", O_RDONLY);
    if (zeros < 0 || read(zeros, &state->done, sizeof state->done) != sizeof state->done) // SAFE
        exit(0);
    close(zeros);
}

int main(void)
{
    int me = 3;
    struct state *state = malloc(sizeof *state);
    if (!state)
        return 0;
    state->owner = &me;
    state->done = 4;
    state->limit = 10;
    load(state);
    assert(*state->owner == 3); // SAFE
    assert(state->limit == 10); // SAFE
    long done = state->done; // SAFE
    assert(done == 4); // UNSAFE!
    return 0;
}
