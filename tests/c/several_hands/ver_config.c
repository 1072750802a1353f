// ARGS: --properties assertion,data-race
// A configuration with a version; readers copy it when they see a new version.
#include <assert.h>
#include <pthread.h>

struct config { unsigned version; int timeout, retries; };
static struct config current_cfg = {1, 10, 3};
static pthread_mutex_t cfg_lock = PTHREAD_MUTEX_INITIALIZER;

static void *admin(void *arg) {
    for (int i = 0; i < 6; i++) {
        pthread_mutex_lock(&cfg_lock);
        current_cfg.timeout += 10;
        current_cfg.version++;
        assert(current_cfg.timeout == 10 * (int)current_cfg.version); // SAFE
        pthread_mutex_unlock(&cfg_lock);
    }
    return 0;
}

static void *service(void *arg) {
    struct config mine = {0, 0, 0};
    for (int i = 0; i < 10; i++) {
        pthread_mutex_lock(&cfg_lock);
        if (current_cfg.version != mine.version) {
            assert(current_cfg.version > mine.version); // SAFE
            mine = current_cfg;
        }
        pthread_mutex_unlock(&cfg_lock);
        assert(mine.version >= 1); // SAFE
        assert(mine.retries == 3); // SAFE
        assert(mine.timeout == 10 * (int)mine.version); // SAFE
        assert(mine.version <= 7); // SAFE
    }
    assert(mine.version == 7); // UNSAFE!
    return 0;
}

int main(void) {
    pthread_t a, s1, s2;
    pthread_create(&a, 0, admin, 0);
    pthread_create(&s1, 0, service, 0);
    pthread_create(&s2, 0, service, 0);
    pthread_join(a, 0);
    assert(current_cfg.version == 7); // SAFE
    pthread_join(s1, 0);
    pthread_join(s2, 0);
    return 0;
}
