/* <duet/ticks.h>: the same as beside the bundled headers */
#include "../../include/duet/ticks.h"
