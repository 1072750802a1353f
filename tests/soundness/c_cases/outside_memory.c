#include <search.h>
#include <stdio.h>
#include <stdlib.h>
struct item { struct item *next, *prev; int *value; };
int first = 1, second = 2;
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
int main(int argc, char **argv){ void *root = 0; int one = 1;
void *found = tsearch(&one, &root, compare);
int *kept = *(int **)found;
__goblint_check(kept == 0);
*kept = 7;
__goblint_check(one == 1);
argv[0] = (char *)&second; int *again = (int *)argv[0]; *again = 20;
__goblint_check(second == 2);
__goblint_check(first == 1);
struct item a = {0, 0, &first}, b = {0, 0, &second}; insque(&a, 0); insque(&b, &a); *a.next->value = 9;
__goblint_check(second == 20);
__goblint_check(first == 1);
return argc == 0; }
