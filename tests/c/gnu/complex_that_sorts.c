/* A function that is not understood, as it has imaginary numbers, calls qsort, which may be given anything: qsort, too. */
#include <assert.h>
#include <stdlib.h>

static int calls, last;

static int reversed(const void *a, const void *b) {
    calls++;
    return *(const int *)b - *(const int *)a;
}

static void sort(int *first, size_t count) {
    last = (int)__imag__ 4.0i;
    qsort(first, count, sizeof *first, reversed);
}

int main(void) {
    int numbers[] = {1, 2};
    assert(calls == 0); // SAFE
    sort(numbers, 2);
    assert(numbers[0] == 1 && calls == 0); // UNSAFE!
    return 0;
}
