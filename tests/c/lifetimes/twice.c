// ARGS: --properties use-after-free
// What is given back: nothing, one of two things, the same thing twice.
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

int main(void) {
    int choice = __VERIFIER_nondet_int();
    int *one = malloc(4), *other = malloc(4), *several = malloc(40), *none = 0;
    if (!one || !other || !several)
        return 1;
    free(none);
    int *p = choice == 1 ? one : other;
    free(p); // SAFE
    if (choice == 1)
        *other = 1; // UNKNOWN (true: cubes prove it)
    else
        *one = 1; // UNKNOWN (true: cubes prove it)
    if (choice == 2)
        *p = 2; // UNSAFE!
    if (choice == 3)
        free(other); // UNSAFE!
    several[3] = 1; // SAFE
    free(several); // SAFE
    if (choice == 4)
        *several = 2; // UNSAFE!
    return 0;
}
