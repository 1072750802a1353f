// Objects with operations of their own; each thread calls those of its argument.
#include <assert.h>
#include <pthread.h>

struct device {
    int (*read)(struct device *);
    int (*unused)(struct device *, int);
    int state;
};

static int read_state(struct device *device)
{
    return device->state;
}

static int read_constant(struct device *device)
{
    (void)device;
    return 42;
}

static int never_called(struct device *device, int more)
{
    device->state = more;
    return -1;
}

static struct device first = {read_state, never_called, 7};
static struct device second = {read_constant, never_called, 9};

void *reader(void *argument)
{
    struct device *device = argument;
    int found = device->read(device);

    assert(found == 7 || found == 42); // SAFE
    assert(found == 7); // UNSAFE!
    return NULL;
}

int main(void)
{
    pthread_t id;

    pthread_create(&id, NULL, reader, &first);
    pthread_create(&id, NULL, reader, &second);
    assert(first.read(&first) == 7); // SAFE
    return 0;
}
