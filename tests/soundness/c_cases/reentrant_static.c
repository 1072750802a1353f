int cnt(int n){ static int s; int l=n; s+=l; if(n>0) cnt(n-1);
__goblint_check(l==n);
__goblint_check(s==1);
return s; }
int main(void){ int r=cnt(1);
__goblint_check(r==0);
__goblint_check(cnt(0)==0);
return 0;}
