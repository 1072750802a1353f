int f(void){return 7;}
int main(void){ int a[2] = {[0] = 3, [0] = f()}; struct {int x,y;} s = {.x=1,.x=f()};
__goblint_check(a[0]==3);
__goblint_check(a[0]==7);
__goblint_check(s.x==1);
return 0;}
