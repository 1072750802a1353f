int g(int *p){ *p = 2; return 7; }
int main(void){ int a[4]={0,0,0,0}; int i=0; a[i++] = g(&i);
__goblint_check(a[1]==7);
__goblint_check(a[0]==0 && a[1]==0 && a[2]==0);
__goblint_check(a[0]==0 && a[2]==0 && a[3]==0);
return 0;}
