int main(void){ int out=0; for(int i=0;i<3;i++){ int t[4]={i}; t[i]+=5; int u[20]={1,2}; u[i+2]=i; out+=t[0]+u[1]; 
__goblint_check(t[3]==0);
__goblint_check(t[i]==5);
__goblint_check(u[1]==2);
__goblint_check(u[19]==2);
}
__goblint_check(out==0);
char m[2][3]={{1,2},{4}}; for(int i=0;i<2;i++) for(int j=0;j<3;j++) m[i][j]++;
__goblint_check(m[0][1]==2);
__goblint_check(m[1][2]==1);
static int st[3]={7}; st[1]++; 
__goblint_check(st[1]==0);
int *ps[2]={&st[0],&st[2]}; for(int i=0;i<2;i++) *ps[i]=i+20;
__goblint_check(st[0]==7);
__goblint_check(st[2]==21);
return 0;}
