// ARGS: --properties use-after-free
// Objects of one place that stand for several: what is known of one of them is known of none.
#include <pthread.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

int *kept;

int main(void) {
    for (int i = 0; i < 40; i++) {
        int *n = malloc(4);
        if (!n)
            return 1;
        *n = i; // UNKNOWN (others of this place have been given back)
        if (i == 3)
            kept = n;
        free(n); // UNKNOWN (others of this place have been given back)
        if (i == 7 && __VERIFIER_nondet_int())
            *kept = 1; // UNSAFE!
    }
    int *grown = malloc(4);
    if (!grown)
        return 1;
    int *larger = realloc(grown, 400);
    if (!larger)
        return 1;
    if (__VERIFIER_nondet_int())
        *grown = 2; // UNSAFE!
    return 0;
}
