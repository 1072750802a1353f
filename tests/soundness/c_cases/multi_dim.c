int t[3][4]; int sum(int (*m)[4], int n){ int s=0; for(int i=0;i<n;i++) for(int j=0;j<4;j++) s+=m[i][j]; return s; }
int main(void){ t[1][2]=5; int k=2; t[k][1]=6; int (*row)[4]=t+1; row[0][3]=7; (*row)[0]=8; int *flat=&t[0][0]; flat[5]=9; int i; for(i=0;i<12;i++) flat[i]++;
__goblint_check(t[1][2]==5);
__goblint_check(t[2][1]==6);
__goblint_check(t[1][3]==7);
__goblint_check(t[1][0]==8);
__goblint_check(t[1][1]==1);
__goblint_check(t[0][0]==0);
__goblint_check(sum(t,3)==0);
return 0;}
