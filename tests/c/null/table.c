// ARGS: --properties null-dereference
// Elements reached through a pointer, and members of what it points to.
#include <pthread.h>

struct device {
    int registers[4];
    struct device *parent;
};

struct device root, leaf;
struct device *current;

void *attach(void *arg) {
    leaf.parent = &root;
    current = &leaf;
    return 0;
}

int read_register(struct device *device, int index) {
    if (device == 0) {
        return -1;
    }
    return device->registers[index & 3]; // SAFE
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, attach, 0);
    struct device *seen = current;
    int value = read_register(seen, 1);
    value = seen->registers[2]; // UNSAFE!
    pthread_join(thread, 0);
    return value;
}
