int main(void){ int n = 3; int a[n]; for (int i=0;i<n;i++) a[i]=i; n = 5;
__goblint_check(sizeof a == 12);
__goblint_check(sizeof a == 20);
__goblint_check(a[2] == 2);
__goblint_check(a[2] == 0);
int m[n][2]; m[4][1]=3; m[0][0]=1;
__goblint_check(m[4][1]==3);
__goblint_check(sizeof m[0] == 8);
return 0;}
