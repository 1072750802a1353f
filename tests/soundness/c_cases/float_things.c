int main(void){ double d=1.5; int i=d; float f=i; _Bool b=0.5; int j=(d>1.0)?3:4; unsigned char c=300.7-100; i += 0.5; int k=0; for (float q=0;q<3;q++) k++;
__goblint_check(i==1);
__goblint_check(i==0);
__goblint_check(b==0);
__goblint_check(b==1);
__goblint_check(j==4);
__goblint_check(c==0);
__goblint_check(k==0);
__goblint_check(d);
__goblint_check(!d);
if (d) k=9; else k=8;
__goblint_check(k==8);
int arr[2]; arr[(int)f]=3;
i = 5; i *= 1.5;
__goblint_check(i==5);
return 0;}
