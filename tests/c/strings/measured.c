// ARGS: --properties array-bounds
// Behind `strlen` the string and its end are inside of the object, whatever is known of where that is.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *copied(const char *from)
{
    size_t size = strlen(from) + 1; // UNKNOWN (where the string ends is known to those who write it)
    char *to = malloc(size);
    if (to)
        memcpy(to, from, size); // SAFE
    return to;
}

static char *without_end(const char *from)
{
    size_t length = strlen(from); // UNKNOWN (as above)
    char *to = malloc(length + 1);
    if (to) {
        memmove(to, from, length); // SAFE
        to[length] = 0; // SAFE
    }
    return to;
}

static void *work(void *name)
{
    char *text = name, *one, *other;
    if (read(0, text, 31) < 0)
        return 0;
    text[31] = 0;
    one = copied(text);
    other = without_end(text);
    free(one);
    free(other);
    free(text);
    return 0;
}

int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) {
        char *name = malloc(32);
        if (!name || pthread_create(&threads[i], 0, work, name))
            exit(1);
    }
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], 0);
    return 0;
}
