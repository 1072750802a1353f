int n; int f(void){ return ++n; } int g;
int setg(int v){ g=v; return v; }
int main(void){ int a[5]={0}; int i=0; a[i++]=5; a[i++]+=6; int *p=a; *p++=1; *++p=2;
__goblint_check(a[0]==5);
__goblint_check(a[1]==6);
__goblint_check(a[2]==0);
__goblint_check(i==1);
int r = f()*10; r += f();
__goblint_check(n==1);
__goblint_check(r==12);
int c = (f(),f());
__goblint_check(c==3);
if (f() && 0 || f()) i=9;
__goblint_check(n==5);
__goblint_check(n==6);
int q = (i = 3) + 1;
__goblint_check(q==10);
q = i++ ? i : 0;
__goblint_check(q==3);
q = (setg(4), g) + 1;
__goblint_check(q==1);
int x = 1; x += x++ ? 0 : 1; 
return 0;}
