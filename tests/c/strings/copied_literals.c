// Literals copied to where pointers point: exact where there are one or a few objects.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static char *name;
static char left[8], right[8];

static void *creator(void *unused) {
    name = malloc(8);
    if (!name) exit(1);
    return 0;
}

static void *writer(void *unused) {
    if (name) strcpy(name, "duet");
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, creator, 0);
    pthread_join(a, 0);
    pthread_create(&b, 0, writer, 0);
    pthread_join(b, 0);
    assert(name && name[0] == 'd'); // SAFE

    char *text = malloc(8);
    if (!text) return 1;
    strcpy(text, "abc");
    assert(text[0] == 'a'); // SAFE
    assert(text[3] == 0); // SAFE
    strcpy(text + 1, "xy");
    assert(text[0] == 'a' && text[2] == 'y'); // SAFE
    if (rand()) assert(text[1] == 'b'); // UNSAFE!

    char *either = rand() ? left : right;
    strcpy(either, "q");
    assert(left[0] == 'q'); // UNSAFE!
    assert(left[0] == 0 || left[0] == 'q'); // SAFE
    return 0;
}
