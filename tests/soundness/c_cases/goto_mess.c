int main(void){ int i=0,j=0,s=0; 
top: if(i>=3) goto done; j=0;
inner: if(j>=2){ i++; goto top; } s+=i*10+j; j++; if(s>1000) goto fail; goto inner;
fail: s=-1;
done: 
__goblint_check(s==63);
__goblint_check(s==-1);
__goblint_check(i==0);
{ int k=0; again: ; int fresh=k; k++; if(fresh<3) goto again; 
__goblint_check(fresh==0);
__goblint_check(k==4);
}
return 0;}
