#include "../jansson_config.h"
