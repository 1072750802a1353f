/* <dlfcn.h>: libraries loaded at run time */
#ifndef DUET_DLFCN_H
#define DUET_DLFCN_H

#include <features.h>

#define RTLD_LAZY 0x00001
#define RTLD_NOW 0x00002
#define RTLD_BINDING_MASK 0x3
#define RTLD_NOLOAD 0x00004
#define RTLD_DEEPBIND 0x00008
#define RTLD_GLOBAL 0x00100
#define RTLD_LOCAL 0
#define RTLD_NODELETE 0x01000
#define RTLD_NEXT ((void *) -1l)
#define RTLD_DEFAULT ((void *) 0)
#if defined __USE_GNU
#define DL_CALL_FCT DL_CALL_FCT
#if defined __LP64__
#define DLFO_STRUCT_HAS_EH_DBASE 0
#else
#define DLFO_STRUCT_HAS_EH_DBASE 1
#endif
#define DLFO_STRUCT_HAS_EH_COUNT 0
#define DLFO_EH_SEGMENT_TYPE PT_GNU_EH_FRAME
#define LM_ID_BASE 0
#define LM_ID_NEWLM -1
#endif
#if defined __USE_GNU
typedef struct {
	const char *dli_fname;
	void *dli_fbase;
	const char *dli_sname;
	void *dli_saddr;
} Dl_info;
#endif

void *dlopen(const char *path, int flags);
void *dlsym(void *library, const char *name);
int dlclose(void *library);
char *dlerror(void);

#endif
