// ARGS: --properties assertion,array-bounds,data-race
// A sensor publishes temperatures, a controller switches a heater by them, a display reads both.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#define COLD 18
#define WARM 22
#define SAMPLES 4
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t measured = PTHREAD_COND_INITIALIZER;
static int temperature = 20, samples, switched;
static bool heats, has_ended;
static int history[SAMPLES]; // SAFE

static void *sensor(void *unused) {
    for (int i = 0; i < SAMPLES; i++) {
        int now = 10 + rand() % 20;
        assert(now >= 10 && now < 30); // SAFE
        pthread_mutex_lock(&lock);
        temperature = now;
        history[samples] = now; // SAFE
        samples++;
        assert(samples == i + 1); // SAFE
        pthread_cond_broadcast(&measured);
        pthread_mutex_unlock(&lock);
    }
    pthread_mutex_lock(&lock);
    has_ended = true;
    pthread_cond_broadcast(&measured);
    pthread_mutex_unlock(&lock);
    return 0;
}

static void *controller(void *unused) {
    int seen = 0;
    pthread_mutex_lock(&lock);
    while (true) {
        while (seen == samples && !has_ended)
            pthread_cond_wait(&measured, &lock);
        if (seen == samples)
            break;
        assert(seen < samples); // SAFE
        seen = samples;
        if (temperature < COLD && !heats) {
            heats = true;
            switched++;
        } else if (temperature > WARM && heats) {
            heats = false;
            switched++;
        }
        assert(!heats || temperature <= WARM); // SAFE
        assert(heats || temperature >= COLD); // SAFE
        assert((switched % 2 == 1) == heats); // UNKNOWN (a remainder and a flag)
        assert(switched <= seen); // SAFE
    }
    assert(has_ended); // UNKNOWN (what loops that wait leave at the end)
    assert(seen == SAMPLES); // SAFE
    pthread_mutex_unlock(&lock);
    return 0;
}

static void *display(void *unused) {
    pthread_mutex_lock(&lock);
    int shown = temperature, count = samples;
    bool is_on = heats;
    pthread_mutex_unlock(&lock);
    assert(shown >= 10 && shown < 30); // SAFE
    assert(count >= 0 && count <= SAMPLES); // SAFE
    if (count == 0) {
        assert(!is_on); // SAFE
        assert(shown == 20); // UNKNOWN (an invariant that is told by a number)
    }
    __goblint_check(!is_on || shown <= WARM); // UNSAFE!
    return 0;
}

int main(void) {
    pthread_t s, c, d;
    pthread_create(&s, 0, sensor, 0);
    pthread_create(&c, 0, controller, 0);
    pthread_create(&d, 0, display, 0);
    pthread_join(s, 0);
    pthread_mutex_lock(&lock);
    assert(samples == SAMPLES && has_ended); // SAFE
    assert(temperature == history[SAMPLES - 1]); // UNKNOWN (an element by the number that is raised with it)
    __goblint_check(heats || temperature >= COLD); // UNSAFE!
    pthread_mutex_unlock(&lock);
    pthread_join(c, 0);
    pthread_join(d, 0);
    assert(heats || temperature >= COLD); // UNKNOWN (a disjunction when the other has ended)
    assert(switched <= SAMPLES); // SAFE
    return 0;
}
