/* <memory.h>: memory functions under their old name */
#ifndef DUET_MEMORY_H
#define DUET_MEMORY_H

#include <string.h>

#endif
