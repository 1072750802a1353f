int main(void){
__goblint_check((1 ? -1 : 0u) > 0);
__goblint_check((1 ? -1 : 0u) < 0);
long z = (1 ? -1 : 0u);
__goblint_check(z == -1);
__goblint_check(sizeof(1 ? 1 : 1L) == 4);
__goblint_check(((0 ? 1L : -1) >> 1) < 0);
return 0;}
