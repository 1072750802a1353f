// More than eight values are no set any more: the gaps are lost where they follow no rule.
#include <pthread.h>
#include <assert.h>

int code;

void *writer(void *unused) {
    code = 3;
    code = 5;
    code = 8;
    code = 13;
    code = 21;
    code = 34;
    code = 55;
    code = 89;
    code = 144;
    return 0;
}

int main(void) {
    pthread_t a;
    int now;
    pthread_create(&a, 0, writer, 0);
    now = code;
    assert(0 <= now && now <= 144); // SAFE
    assert(now != 1); // UNKNOWN (nine values are not kept apart)
    assert(now != 89); // UNSAFE!
    return 0;
}
