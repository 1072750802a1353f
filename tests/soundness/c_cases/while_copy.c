int main(void){ char src[6]="hello", dst[6]; char *s=src,*d=dst; while ((*d++ = *s++)) ; 
__goblint_check(dst[0]=='x');
__goblint_check(dst[0]=='h');
__goblint_check(d-dst==5);
__goblint_check(d-dst==6);
int a[5]={5,4,3,2,1}; int *lo=a,*hi=a+4; while(lo<hi){ int t=*lo; *lo++=*hi; *hi--=t; }
__goblint_check(a[0]==5);
__goblint_check(a[4]==1);
__goblint_check(lo==hi);
__goblint_check(lo!=hi);
return 0;}
