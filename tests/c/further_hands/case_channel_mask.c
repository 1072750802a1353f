// Four channels, each a bit of a mask, and the settings that belong to a channel that is on.
#include <assert.h>
#include <pthread.h>

#define CHANNELS 4

static pthread_mutex_t bus = PTHREAD_MUTEX_INITIALIZER;
static unsigned mask;
static int gain[CHANNELS];
static int on;

static void *enable(void *which) {
    int c = (int)(long)which;
    pthread_mutex_lock(&bus);
    if (!(mask & 1u << c)) {
        mask |= 1u << c;
        gain[c] = 10 + c;
        on++;
    }
    assert(mask != 0); // SAFE
    assert(gain[c] >= 10); // SAFE
    pthread_mutex_unlock(&bus);
    return 0;
}

static void *mute(void *which) {
    pthread_mutex_lock(&bus);
    for (int i = 0; i < CHANNELS; i++)
        if (mask & 1u << i) {
            mask &= ~(1u << i);
            gain[i] = 0;
            on--;
        }
    assert(mask == 0); // SAFE
    assert(on == 0); // SAFE
    pthread_mutex_unlock(&bus);
    return which;
}

static void *meter(void *unused) {
    pthread_mutex_lock(&bus);
    int count = 0, loud = 0;
    for (int i = 0; i < CHANNELS; i++) {
        if (mask & 1u << i)
            count++;
        if (gain[i] > 0)
            loud++;
        // A channel has a gain if and only if it is on.
        assert(!(mask & 1u << i) == (gain[i] == 0)); // UNKNOWN (an element by a bit)
    }
    assert(count == on); // SAFE
    assert(count == loud); // UNKNOWN (sums over bits and elements)
    assert(count < CHANNELS); // UNSAFE!
    pthread_mutex_unlock(&bus);
    assert(mask <= 15); // SAFE
    return unused;
}

int main(void) {
    pthread_t t[CHANNELS], q, m;
    for (long i = 0; i < CHANNELS; i++)
        pthread_create(&t[i], 0, enable, (void *)i);
    pthread_create(&q, 0, mute, 0);
    pthread_create(&m, 0, meter, 0);
    for (int i = 0; i < CHANNELS; i++)
        pthread_join(t[i], 0);
    pthread_join(q, 0);
    pthread_join(m, 0);
    return 0;
}
