/* <duet/intrinsics.h>: the same as beside the bundled headers */
#include "../../include/duet/intrinsics.h"
