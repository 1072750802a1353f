int x = 1, y = 2; int *q = &x; 
int main(void) { *(unsigned long *)&q = (unsigned long)&y; *q = 9;
__goblint_check(y == 2);
__goblint_check(x == 9);
__goblint_check(x == 1);
__goblint_check(y == 9);
return 0; }
