// A pointer that went through an integer still points to its cell.
#include <pthread.h>
#include <assert.h>
#include <stdint.h>

int target = 4;
int bystander = 4;
uintptr_t hidden;

void *writer(void *unused) {
    int *p = (int *)hidden;
    if (p) *p = 5;
    return 0;
}

int main(void) {
    pthread_t t;
    hidden = (uintptr_t)&target;
    pthread_create(&t, 0, writer, 0);
    pthread_join(t, 0);
    assert(bystander == 4); // SAFE
    assert(target == 4); // UNSAFE!
    return 0;
}
