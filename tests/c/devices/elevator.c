// An elevator with a state, a floor and a door; buttons only set requests.
#include <pthread.h>
#include <assert.h>

enum motion { IDLE, UP, DOWN };
#define TOP 5
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static enum motion motion = IDLE;
static int floor_now, target, door_open;

static void *buttons(void *argument) {
    int wanted = (int)(long)argument;
    pthread_mutex_lock(&lock);
    if (wanted >= 0 && wanted <= TOP) target = wanted;
    pthread_mutex_unlock(&lock);
    return 0;
}

static void *controller(void *unused) {
    for (int step = 0; step < 8; step++) {
        pthread_mutex_lock(&lock);
        if (floor_now < target) {
            motion = UP;
            door_open = 0;
            floor_now++;
        } else if (floor_now > target) {
            motion = DOWN;
            door_open = 0;
            floor_now--;
        } else {
            motion = IDLE;
            door_open = 1;
        }
        assert(floor_now >= 0 && floor_now <= TOP); // SAFE
        assert(motion == IDLE || door_open == 0); // SAFE
        assert(target <= TOP); // SAFE
        pthread_mutex_unlock(&lock);
        assert(motion == IDLE); // UNSAFE!
    }
    return 0;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, 0, controller, 0);
    pthread_create(&b, 0, buttons, (void *)4);
    pthread_create(&c, 0, buttons, (void *)9);
    pthread_join(c, 0);
    assert(target >= 0); // SAFE
    assert(target == 0); // UNSAFE!
    return 0;
}
