/* <memory.h>: memory functions under their old name */
#ifndef DUET_MEMORY_H
#define DUET_MEMORY_H

#include <features.h>
#include <string.h>
#include <bits/null.h>
#if defined __USE_GNU
#include <bits/strdupa.h>
#endif

#endif
